"""The charts of the odds calculator."""
