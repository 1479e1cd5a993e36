"""How surprised is this model by every token of the sentence?"""
