"""The pieces that the anatomy views are painted of."""
