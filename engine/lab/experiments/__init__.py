"""What papers measured, measured again: their figures beside ours."""
