"""Parts that are drawn as charts: named numbers, curves, points, rates."""
