"""What does a model make of one token, step by step, on its way to a word?"""
