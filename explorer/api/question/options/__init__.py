"""What a question can be set to: fields of a request, and the option that each of them is."""
