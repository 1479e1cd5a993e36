"""Fields of options: numbers, choices, models, heads, and the bar of a page's own."""
