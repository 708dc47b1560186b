"""Data that ships with the app, read with importlib.resources."""
