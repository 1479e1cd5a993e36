"""What is trained on: documents, and where the text is of a world, its exact reader."""
