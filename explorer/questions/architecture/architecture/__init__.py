"""What is this model made of, and what does that cost?"""
