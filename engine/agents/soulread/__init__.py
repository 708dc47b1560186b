"""Soulread, the agent that decides by the value of every action."""
