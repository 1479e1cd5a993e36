"""Marks, merges, backups, rescue."""
