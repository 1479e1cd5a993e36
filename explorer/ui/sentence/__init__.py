"""The sentence above the pages: as text, and as the tokens of the model that answers."""
