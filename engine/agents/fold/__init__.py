"""FOLD, the agent that reads hands: its paper's four modules, one file each."""
