"""FOLD, the agent that reads hands: the paper's four modules, one file each."""
