"""What does each of two models cost: parameters, memory, and time for this sentence here?"""
