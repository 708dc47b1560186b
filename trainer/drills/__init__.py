"""Drills: exercises about spots, in sets of two minutes, that come back when they went wrong."""
