"""The reader whose likelihoods are learned from real hands."""
