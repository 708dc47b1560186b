"""What hands come to over time: figures of players, and what was won without the luck of the boards."""
