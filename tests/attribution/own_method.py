"""The method that docs/methods.md shows, as a file for tests."""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs" / "methods.md"


def code():
    """What stands there."""
    return re.search(r"```python\n# first_head\.py\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)[
        1
    ]


def write(folder, **changed):
    """The file, with some words in it changed."""
    text = code()
    for old, new in changed.items():
        text = text.replace(old, new)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "first_head.py"
    path.write_text(text, "utf-8")
    return path
