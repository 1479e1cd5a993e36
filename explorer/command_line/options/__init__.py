"""Options that several commands have: of models, steps, values, pictures and films."""
