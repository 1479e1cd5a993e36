"""How each kind of part looks: a module a kind, called as the kind, with a function `blocks`."""
