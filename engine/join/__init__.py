"""Tables that other people run: their protocols, the hands played there, and answers in time."""
