"""Which pieces does this model cut the text into?"""
