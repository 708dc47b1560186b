"""Equities: how strong hands are against hands and ranges."""
