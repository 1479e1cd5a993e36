"""A model's attention: weights, projections, where they are."""
