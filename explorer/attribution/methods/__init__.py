"""Every method of the program: a file each."""
