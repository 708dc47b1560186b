"""Styles of the player's own: kept as files, edited by sliders, measured."""
