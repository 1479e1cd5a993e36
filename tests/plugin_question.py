"""The plugin with a question that docs/plugins.md shows, taken from there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = Path("questions", "masking", "expected_length")
NAME = "expected_length"


def write(plugins: Path) -> Path:
    """Write it into a folder of plugins."""
    text = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    for name, content in re.findall(
        r"^```\w+\n# (word-lengths/\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    ):
        path = plugins / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return plugins / "word-lengths"


def change(plugin: Path, file: str, old: str, new: str) -> None:
    """Change one of the question's files."""
    path = plugin / PLACE / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
