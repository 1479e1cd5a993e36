"""What a window begins with, and what is kept of it for the next one."""
