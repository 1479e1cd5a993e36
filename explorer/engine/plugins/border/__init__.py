"""Where somebody else's code begins: what it gives, takes and raises is looked at."""
