"""Which changed word of a sentence moves the prediction most?"""
