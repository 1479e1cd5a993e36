"""Numbers, sizes, durations, probabilities, days and names as the language in use writes them."""
