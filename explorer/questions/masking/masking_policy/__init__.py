"""Which tokens would training mask in this sentence, and what would the model learn from?"""
