"""The page of a question that has none of its own: what must be known, then part below part."""

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from explorer.api import Operation
from explorer.api.question.parts.part import CHOSEN, Part
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.kept import kept
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import heading, note
from explorer.ui.parts.looking import Looking

KINDS = "explorer.api.question.parts."
"""Where the kinds are, one a module."""


def page_of_parts(operation: Operation[Any, Any]) -> Page:
    """A page that shows all parts of an answer, each as its kind looks."""
    for kind in operation.part_kinds:
        _module(kind)

    def blocks(shown: Shown) -> Iterator[Block]:
        if operation.about:
            yield note(_(operation.about))
        parts = parts_shown(operation, shown)
        for number, part in enumerate(parts):
            if part.title and len(parts) > 1:
                yield heading(_(part.title))
            yield from part_blocks(operation, shown, number)

    return Page(
        operation,
        blocks,
        follows=any(one.key == f"{operation.name}.{CHOSEN}" for one in operation.options)
        or any(kind.FOLLOWS for kind in operation.part_kinds),
    )


def parts_shown(operation: Operation[Any, Any], shown: Shown) -> Sequence[Part]:
    """The parts of the answer that is shown, as it is looked at now."""
    return _parts(operation, shown.result, **operation.settings_of(shown.now))


@kept(4)
def _parts(operation: Operation[Any, Any], result: Any, **settings: Any) -> Sequence[Part]:
    """The same objects as long as they show the same, so that nothing is counted or drawn anew."""
    return operation.parts_of(result, **settings)


def part_blocks(operation: Operation[Any, Any], shown: Shown, number: int = 0) -> Iterator[Block]:
    """How one of an answer's parts looks, for a page that shows more than parts.

    Args:
        operation: The question.
        shown: What the page is made from.
        number: Which part, from 0.
    """
    part = parts_shown(operation, shown)[number]
    yield from _module(type(part)).blocks(part, Looking(operation, shown))


def _module(kind: type[Part]) -> Any:
    """The module that draws a kind; a plugin's kind looks as the one that it is made from."""
    known = next(one.__module__ for one in kind.__mro__ if one.__module__.startswith(KINDS))
    return importlib.import_module(f"{__package__}.{known.removeprefix(KINDS)}")
