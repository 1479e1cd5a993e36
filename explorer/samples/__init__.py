"""Documents to begin with, and how they are typed in a terminal and in TOML."""
