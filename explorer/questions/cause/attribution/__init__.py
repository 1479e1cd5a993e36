"""Which words make a prediction?"""
