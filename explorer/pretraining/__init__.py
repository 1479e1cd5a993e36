"""How the bundled miniatures are made. It is no part of an installed program.

torch and transformers are imported by what trains and measures, inside its functions.
"""
