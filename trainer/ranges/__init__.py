"""Ranges named, edited and kept."""
