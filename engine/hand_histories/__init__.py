"""Hands that were played elsewhere, from the files of the sites and programs that wrote them, and back."""
