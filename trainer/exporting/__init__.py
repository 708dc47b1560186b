"""Stored hands written for other programs: the command, and what the window of all hands offers."""
