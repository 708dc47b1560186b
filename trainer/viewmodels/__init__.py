"""What each screen shows, made from engine values; no widget is known here."""
