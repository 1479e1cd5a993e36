"""What do two models expect at the same masks, word by word?"""
