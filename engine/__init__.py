"""Everything of Soulread that works without a window: cards, rules, equity, agents."""
