"""A finished hand played again step by step: the table, its timeline, and what the player writes to it."""
