"""Reviews from the command line, and whether they are right."""
