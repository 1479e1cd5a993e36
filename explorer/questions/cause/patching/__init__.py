"""Which of a model's states carry the difference between two sentences?"""
