"""What is exactly probable here, in the world of the miniatures?"""
