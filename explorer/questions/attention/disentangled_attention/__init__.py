"""What do content and position each add to an attention score, and what if one were missing?"""
