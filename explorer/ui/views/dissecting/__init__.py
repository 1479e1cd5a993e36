"""The pieces that the architecture views are painted of."""
