"""What a new player is shown: the words of the game, and a tour of the window."""
