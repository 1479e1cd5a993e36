"""The frame around every view, and what it shows in the place of a result."""
