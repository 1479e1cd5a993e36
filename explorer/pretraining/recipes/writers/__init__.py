"""Models that write: GPT, T5, and what they are trained further for."""
