"""How does each family lay out the input of a task?"""
