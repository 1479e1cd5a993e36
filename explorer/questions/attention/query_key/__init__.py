"""Which dimensions make a head look from one token at another?"""
