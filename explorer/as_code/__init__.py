"""An answer as code: as `explorer` asks it, as a command, and with transformers and torch alone."""
