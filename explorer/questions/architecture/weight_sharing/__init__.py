"""Which weights do a generator and its discriminator share?"""
