"""Players that go by rules: a temper's numbers, and what moves them; nobody here reads hands."""
