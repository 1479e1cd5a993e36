"""The list of all checkpoints: its tree, its rows, what is known of each, and the picker."""
