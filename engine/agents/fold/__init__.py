"""Soulread, the agent that reads hands: the FOLD paper's four modules, one file each."""
