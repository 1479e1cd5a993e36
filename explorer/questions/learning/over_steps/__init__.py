"""How does an answer change over the steps of a model's training?"""
