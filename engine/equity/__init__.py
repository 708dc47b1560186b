"""Equity of hands and ranges: exact, sampled, and everything counted from the same deals."""
