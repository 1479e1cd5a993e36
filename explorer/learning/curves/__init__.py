"""Curves of training: of the program's own runs, and of files of other people."""
