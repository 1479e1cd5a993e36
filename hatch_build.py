"""What the package index shows: the README, with links that lead somewhere from there.

In a checkout they are relative. PLM_EXPLORER_REPOSITORY (https://HOST/OWNER/NAME) says where they
lead; without it their words stay, and pictures are left out.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "PLM_EXPLORER_REPOSITORY"
VERSION = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")


def for_an_index(text: str, repository: str, version: str) -> str:
    """A README's text with absolute links, or with none.

    Args:
        text: Markdown.
        repository: https://HOST/OWNER/NAME, or "".
        version: Of the program, which is a tag there.
    """

    def lead(link: re.Match[str]) -> str:
        picture, words, place = link.groups()
        if not repository:
            return "" if picture else words
        kind = "raw" if picture else "blob"
        return f"{picture}[{words}]({repository}/{kind}/v{version}/{place})"

    return LINK.sub(lead, text)


class ReadmeHook(MetadataHookInterface):
    """Gives the package its description, and its addresses where they are known."""

    def update(self, metadata: dict[str, object]) -> None:
        """Fill in what pyproject.toml calls dynamic."""
        root = Path(self.root)
        repository = os.environ.get(REPOSITORY, "").rstrip("/")
        (version,) = VERSION.findall((root / "explorer/__init__.py").read_text("utf-8"))
        text = for_an_index((root / "README.md").read_text("utf-8"), repository, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = {"Repository": repository} if repository else {}
