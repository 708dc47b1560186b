"""The table and what is played with."""
