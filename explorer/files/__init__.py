"""Files as the program reads and writes them: typed paths, private ones, temporary ones."""
