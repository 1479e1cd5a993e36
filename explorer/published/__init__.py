"""What was published or measured once, and comes with the program to be read: no answers."""
