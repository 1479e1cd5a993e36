"""Is a word right as often as the model says?"""
