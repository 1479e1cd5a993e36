"""How small models are trained: recipes, batches, the loop.

torch and transformers are imported by what trains, inside its functions.
"""
