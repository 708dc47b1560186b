"""Styles against each other: matches played, counted, shared out and reported."""
