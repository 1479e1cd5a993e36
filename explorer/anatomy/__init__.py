"""What a model is made of, and what that costs: counting, without torch."""
