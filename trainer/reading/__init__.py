"""What the opponents may hold."""
