"""What papers measured, measured again: chosen, run, and shown beside the papers' figures."""
