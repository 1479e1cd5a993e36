"""Documents: what is on screen in one file, to go on with later or to hand to somebody else."""
