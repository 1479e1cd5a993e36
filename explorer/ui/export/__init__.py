"""Answers as pictures and tables: into files and onto the clipboard."""
