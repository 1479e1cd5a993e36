"""What do the states of each layer hold of the answer, read through a map that was trained?"""
