"""What is counted of matches, and what follows from it."""
