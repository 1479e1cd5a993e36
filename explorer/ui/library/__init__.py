"""The models: every checkpoint there is, those loaded, and which are A and B."""
