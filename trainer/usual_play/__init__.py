"""Charts: what players usually do with every hand, in a spot before the flop or at a decision of the table."""
