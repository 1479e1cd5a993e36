"""Which tokens did a generator replace, and does the discriminator notice?"""
