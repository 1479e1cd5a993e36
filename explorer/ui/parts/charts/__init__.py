"""How parts that are charts look: named numbers, curves, points, rates."""
