"""Exercises for a player: spots with a question, the right answer with its number and error, and why."""
