"""Lectures and scenes in files: read, saved, and written as a page or a PDF."""
