"""Decisions of a player judged by what they could see: what each cost, and what that comes to."""
