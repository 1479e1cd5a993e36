"""How alike are the layers of two models, or of one?"""
