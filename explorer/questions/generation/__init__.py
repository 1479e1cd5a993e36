"""Questions about how a model goes on with a text, and what it answers to a prompt."""
