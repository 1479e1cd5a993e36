"""Where the published files of a checkpoint's entities are."""

from pathlib import Path

FOLDER = "kg_embed"
VECTORS = "entity2vec.vec"


def find(folder: Path) -> Path | None:
    """In its folder, or beside it; None where they are not."""
    for place in (folder / FOLDER, folder.resolve().parent / FOLDER):
        if place.is_dir():
            return place
    return folder if (folder / VECTORS).is_file() else None
