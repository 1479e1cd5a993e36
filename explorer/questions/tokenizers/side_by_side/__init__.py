"""How does each tokenizer cut this text?"""
