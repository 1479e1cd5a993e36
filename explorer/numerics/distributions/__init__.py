"""Distributions over classes: at a temperature, beside each other, and how evenly they are used."""
