"""Figures of the player and all opponents over the stored hands: tables, and what was won hand by hand."""
