"""The small world: what its texts say in English and Korean, and how probable each of them is.

`scenes` holds the grammar, `corpus` draws texts from it, and `inside` gives the exact probability
of any word of a text. Numbers come from the standard library; nothing here knows a model.
"""
