"""What does this model answer for every sentence of a file?"""
