"""Which pieces does a model's vocabulary have, and which of them does a text use?"""
