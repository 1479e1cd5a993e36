"""Which words make a prediction, and which of the model's states carry it?"""
