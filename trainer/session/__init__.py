"""One running table, as the player's seat sees it."""
