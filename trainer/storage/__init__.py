"""What is stored: sessions, hands and traces."""
