"""Questions asked by hiding tokens."""
