"""How does a tokenizer arrive at the pieces of one word, step by step?"""
