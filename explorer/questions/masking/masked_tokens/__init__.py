"""What does this model expect where a token is masked?"""
