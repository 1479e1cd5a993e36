"""An answer in a terminal: what its page shows, part below part, as far as letters can draw it."""
