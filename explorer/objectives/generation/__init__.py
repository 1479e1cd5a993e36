"""Writing what comes next, or what was dropped."""
