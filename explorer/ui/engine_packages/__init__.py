"""A first start of a thin bundle: the window installs what runs models, and goes on meanwhile."""
