"""How the bundled films are made: a plan is trained, and some of its frames are kept."""
