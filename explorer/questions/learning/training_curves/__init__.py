"""How do models learn, step by step?"""
