"""A strategy near the equilibrium of a small heads-up game: the game's bets and buckets, and who plays it."""
