"""Players: what a decision is made of, and the styles that decide."""
