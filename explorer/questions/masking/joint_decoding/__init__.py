"""Which words does this model expect at several masks together, rather than at each alone?"""
