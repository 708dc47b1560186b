"""Hands played before, and the log."""
