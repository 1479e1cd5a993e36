"""What a model learns of pairs by which objective, and by which format of its input."""
