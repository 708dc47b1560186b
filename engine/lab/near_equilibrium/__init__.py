"""The strategy near an equilibrium: its small game's deals, solving it by OpenSpiel, and what beats the result."""
