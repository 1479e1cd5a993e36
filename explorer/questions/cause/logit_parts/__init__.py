"""Which of the model's parts wrote one word rather than another at a mask?"""
