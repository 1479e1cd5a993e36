"""The notes' example of changed numbers."""

from typing import Final

from explorer.api.family.what_if import Changes

NOTES: Final = "google-bert/bert-base-uncased"
"""What the lecture notes' example begins with."""
NOTES_SIZES: Final[Changes] = (("vocabulary", 30_000),)
NOTES_CHANGES: Final[Changes] = (("embedding_size", 64),)
"""What the notes change: embeddings 64 wide, and a matrix from there to 768."""
