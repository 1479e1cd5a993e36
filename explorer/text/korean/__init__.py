"""Grammar of Korean that texts with places need: how a word sounds at its end, and its particle."""
