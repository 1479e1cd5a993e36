"""How does one word move from layer to layer, in one sentence and in another?"""
