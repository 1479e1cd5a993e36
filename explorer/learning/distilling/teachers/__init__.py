"""Teachers: by their names, before they are loaded, at work, and one that knows the grammar."""
