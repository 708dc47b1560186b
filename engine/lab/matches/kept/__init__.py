"""Finished matches in files that outlive whatever kills a run."""
