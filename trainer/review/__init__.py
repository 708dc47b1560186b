"""The player's decisions judged: a line after a hand, and the review of a session."""
