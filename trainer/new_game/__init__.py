"""New game: who plays, and in which format."""
