"""How does the model go on with a text?"""
