"""What a model has learnt of a text whose grammar is known, beside the best there can be."""
