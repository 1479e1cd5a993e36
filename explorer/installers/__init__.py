"""Installers: folders and files that run PLM Explorer where no Python is.

Not part of the program, and not in its wheel. Each file here with a NAME is a command, registered
by being there: `python -m explorer.installers NAME`; what they build and what was run of it is
told in docs/installers.md.
"""
