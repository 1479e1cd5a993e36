"""How the bundled films are made: a plan is trained, some of its frames are kept as whole numbers."""
