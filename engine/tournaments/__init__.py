"""Tournaments: what stacks are worth in prizes, and short stacks that push or fold."""
