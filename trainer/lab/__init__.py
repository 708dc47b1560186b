"""The lab: styles against each other, what they come to, and every hand of it."""
