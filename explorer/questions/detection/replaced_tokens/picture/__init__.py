"""The loop of generator and discriminator as a picture, a row for every token."""
