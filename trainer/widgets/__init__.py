"""Paint and input only: cards, table, range grids, meters, dialogs, the main window."""
