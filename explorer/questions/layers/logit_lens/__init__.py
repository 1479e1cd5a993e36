"""What would a model predict if it ended at each of its layers?"""
