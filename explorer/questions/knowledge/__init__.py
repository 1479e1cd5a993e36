"""Questions about what a knowledge graph adds to a text."""
