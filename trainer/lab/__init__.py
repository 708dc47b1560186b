"""The lab: styles against each other, what they come to, every hand of it, and experiments."""
