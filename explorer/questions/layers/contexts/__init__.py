"""At which places of a corpus is the model's state nearest to that of a word here?"""
