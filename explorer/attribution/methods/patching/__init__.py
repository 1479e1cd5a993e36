"""Methods that put states of one run into another."""
