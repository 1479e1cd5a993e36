"""How much of each rule of a small world has this model learnt?"""
