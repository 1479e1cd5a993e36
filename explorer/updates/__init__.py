"""Whether there is a newer version; asked only when a person asks."""
