"""Where the frame lays what was asked besides an answer, as the exact one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from explorer.questions import question_of
from explorer.ui.blocks.block import Block, PlacedBlock
from explorer.ui.blocks.columns import inside
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import WrappedParagraph


@dataclass(frozen=True)
class Beside:
    """A place on a page; the question that was asked besides draws what stands there.

    Attributes:
        position: Of the token that it is laid beside; None for what is said of the whole answer.
        lane: Of the detail; "" for all that there are.
        above: The room above it.
    """

    position: int | None = None
    lane: str = ""
    above: Space = Space.TIGHT

    def at(self, width: float) -> PlacedBlock:
        """Nothing, where nobody lays anything there."""
        return WrappedParagraph("", width)


def with_beside(blocks: Iterable[Block], shown: Shown) -> list[Block]:
    """Blocks with what was asked besides in its places, those in cards among them."""
    own = list(blocks)
    has_places = any(isinstance(one, Beside) and one.position is not None for one in _flat(own))
    return inside(own, lambda block: _laid(block, shown, has_places=has_places))


def _laid(block: Block, shown: Shown, *, has_places: bool) -> Iterator[Block]:
    if not isinstance(block, Beside):
        yield block
        return
    for detail in shown.complete:
        draw = question_of(detail.request).drawn_beside
        if draw is not None and block.lane in ("", detail.lane):
            yield from draw(shown, detail, block.position, has_places=has_places)


def _flat(blocks: Sequence[Block]) -> Sequence[Block]:
    """With all that stands in cards."""
    found: list[Block] = []

    def take(block: Block) -> Iterator[Block]:
        found.append(block)
        yield block

    inside(blocks, take)
    return found
