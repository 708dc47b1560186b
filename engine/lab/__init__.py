"""The laboratory: agents and readers measured, over matches and recorded hands; nothing that plays needs it."""
