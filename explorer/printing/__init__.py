"""How a person reads answers on the command line."""
