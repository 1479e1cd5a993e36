"""How does bertviz draw this model's attention?"""
