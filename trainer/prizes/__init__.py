"""What the stacks of a tournament are worth in prizes, and what all-ins ask for by them."""
