"""What can a linear classifier read off each layer?"""
