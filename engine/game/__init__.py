"""The game itself: rules, what happens at a table, what a seat may see."""
