"""Policies evolved against styles: chosen, evolved, and how they come on."""
