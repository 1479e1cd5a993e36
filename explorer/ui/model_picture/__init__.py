"""A model drawn: its parts from the tokens up to its heads."""
