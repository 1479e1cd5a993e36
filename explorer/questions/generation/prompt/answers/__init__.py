"""Possible answers to a prompt: their log-probabilities, and which of them is chosen."""
