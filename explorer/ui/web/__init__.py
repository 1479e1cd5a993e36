"""Pages of HTML inside the window, cut off from the network, and their pictures."""
