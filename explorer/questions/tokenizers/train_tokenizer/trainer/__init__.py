"""Training tokenizers in a process of its own, and keeping what was trained."""
