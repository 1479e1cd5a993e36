"""Questions about many sentences."""
