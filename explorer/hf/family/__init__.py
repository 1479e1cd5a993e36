"""What a family of transformers models is described with."""
