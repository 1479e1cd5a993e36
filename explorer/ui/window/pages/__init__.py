"""The pages of the window: places for them, which are open, which have widgets."""
