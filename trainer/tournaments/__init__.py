"""What stacks are worth in prizes, what all-ins ask for by them, and short stacks that push or fold."""
