"""From a part to the blocks that show it: each kind is drawn by the module of its place here."""

import importlib
from collections.abc import Iterator
from typing import Any

from explorer.api.question import Part
from explorer.ui.blocks.block import Block
from explorer.ui.parts.looking import Looking

KINDS = "explorer.api.question.parts."
"""Where the kinds are, one a module, in folders that are called alike here."""


def blocks_of(part: Part, looking: Looking) -> Iterator[Block]:
    """How a part looks.

    Args:
        part: What is shown.
        looking: On which page, with which options.
    """
    yield from module_of(type(part)).blocks(part, looking)


def module_of(kind: type[Part]) -> Any:
    """The module that draws a kind; a plugin's kind looks as the one that it is made from."""
    if kind.DRAWN_BY:
        return importlib.import_module(kind.DRAWN_BY)
    known = next(one.__module__ for one in kind.__mro__ if one.__module__.startswith(KINDS))
    return importlib.import_module(f"{__package__}.{known.removeprefix(KINDS)}")
