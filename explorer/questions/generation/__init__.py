"""Texts that models go on with."""
