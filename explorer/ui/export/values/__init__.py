"""Values of models out of the window: which are chosen, and who writes them."""
