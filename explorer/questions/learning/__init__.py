"""Questions about how models are trained."""
