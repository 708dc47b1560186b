"""Bulk play: many hands of compiled styles at a time."""
