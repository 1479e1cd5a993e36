"""Knowledge graphs: concepts, and relations between them; files of them, and paths in them."""
