"""What the program remembers, as its user sees and sets it: in one dialog, and partly in menus."""
