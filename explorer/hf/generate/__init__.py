"""Texts that models go on with: what comes next, how one of it is chosen, and which way is best."""
