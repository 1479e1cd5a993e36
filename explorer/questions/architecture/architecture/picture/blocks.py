"""The page of the picture: the board, and the part that was clicked."""

from collections.abc import Callable, Iterator
from functools import partial

from explorer.api import Blueprint, Role
from explorer.questions.architecture.architecture.counting.details import opened_part, part_blocks
from explorer.questions.architecture.architecture.counting.tree import find, flat
from explorer.questions.architecture.architecture.picture.board import Board
from explorer.questions.architecture.architecture.picture.sketch import sketch_of
from explorer.questions.architecture.architecture.question import PART, ArchitectureResult
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, hint


def picture_blocks(shown: Shown) -> Iterator[Block]:
    """The board, and the part that was clicked beside it, or below where there is less room."""
    result: ArchitectureResult = shown.result
    if not result.blueprint.layers:
        words = _("This family's plugin does not say how its layers are built; see the count.")
        yield Text(words, above=Space.SECTION)
        return
    if result.blueprint.has_other_layers:
        words = _("The picture is one of transformers, and this model is none; see the count.")
        yield Text(words, above=Space.SECTION)
        return
    sketch = sketch_of(result.blueprint, result.companion, mine_first=_fills(result.blueprint))
    path_of, part = path_finder(result), PART.of(shown.now)

    def board(width: float) -> Board:
        traits = result.blueprint.traits
        return Board(sketch, traits, width, path_of, partial(opened_part, shown), part)

    opened = find(result.tree, part) if part else None
    about = list(part_blocks(result, opened)) if opened is not None else []
    if not about:
        about = [hint(_("Click a part of the picture to see its tensors, shapes and numbers."))]
    if len(sketch.columns) > 1:
        # Two stacks need the whole width.
        yield Picture(board)
        yield from about
    else:
        cards = [
            Card([Picture(board)]),
            *([Card(about, _("The part that is open"))] if about else []),
        ]
        yield Columns(cards, narrowest=CardWidth.WIDE, grows=True, framed=False)


def path_finder(result: ArchitectureResult) -> Callable[[tuple[str, ...], str], str]:
    """From the roles of a shape on the board to the part of the tree that has them."""
    # A run of an older version has no roles.
    weights = [(Role(w.role or Role.OTHER).group, w.name) for w in flat(result.tree)]

    def path_of(roles: tuple[str, ...], beginning: str) -> str:
        wanted = {Role(role).group for role in roles}
        names = [
            name.split(".")[:-1]
            for role, name in weights
            if role in wanted and (not beginning or name.startswith((beginning, "shared")))
        ]
        common: list[str] = []
        for segments in zip(*names, strict=False):
            if len(set(segments)) > 1:
                break
            common.append(segments[0])
        while common and find(result.tree, ".".join(common)) is None:
            common.pop()
        return ".".join(common)

    return path_of


def _fills(blueprint: Blueprint) -> bool:
    """Whether a half of a pair is the one that fills masks."""
    return "replaced_token" not in blueprint.heads_present
