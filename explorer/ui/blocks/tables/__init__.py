"""Blocks that tell an answer as rows: bars with numbers, pairs, entries, shares of a whole."""
