"""Hands of other sites taken into the store: files, folders, the clipboard, what is dropped on the window."""
