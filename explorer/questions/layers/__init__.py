"""Questions about what each layer makes of a text."""
