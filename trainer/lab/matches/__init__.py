"""Styles against each other: what is played, its results, charts, files and hands."""
