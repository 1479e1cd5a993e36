"""What does a tokenizer learn from a text, and how large should its vocabulary be?"""
