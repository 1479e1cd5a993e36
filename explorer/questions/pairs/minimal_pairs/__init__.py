"""Which of two sentences does the model find likelier, and is that the good one?"""
