"""What does each attention head look at?"""
