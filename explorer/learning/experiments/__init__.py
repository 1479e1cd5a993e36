"""Claims about training, each tried in runs of small models: definitions, runs, statistics."""
