"""What does a small model learn, step by step, from a plan of yours?"""
