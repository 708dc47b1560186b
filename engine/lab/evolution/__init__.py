"""Policies evolved against styles: deals, algorithm 1, runs that go on where they stopped, and what they leave."""
