"""How answers look in a notebook: frames, pictures, HTML, a bar of progress."""
