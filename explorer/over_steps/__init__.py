"""One question asked at every step of a model's training: what runs it, keeps it and orders it."""
