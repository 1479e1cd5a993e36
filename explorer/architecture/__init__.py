"""What a model is made of, counted without its weights where it has none: parts, numbers, costs."""
