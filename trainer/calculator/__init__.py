"""The odds calculator."""
