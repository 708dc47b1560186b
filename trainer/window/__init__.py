"""The main window: what holds the features together, and what they share."""
