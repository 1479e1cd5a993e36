"""How each kind of part looks: a module a kind, where the kind lies in the interface."""
