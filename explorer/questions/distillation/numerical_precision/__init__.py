"""What does a model lose by coarser numbers?"""
