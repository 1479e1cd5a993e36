"""How surprised is this model by each token of the sentence?"""
