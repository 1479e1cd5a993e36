"""Examples before a question: where they are from, in which order, and how they are written."""
