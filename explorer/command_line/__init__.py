"""How commands read what is typed: options, questions as arguments, one-line mistakes."""
