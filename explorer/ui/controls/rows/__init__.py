"""Tables and lists of rows: how they are read, sized, and walked through by keys."""
