"""Policies evolved against styles: their files, what they see, and who plays them."""
