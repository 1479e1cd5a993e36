"""Where weights lie and how large they are: is there room, and what to do where there is none."""
