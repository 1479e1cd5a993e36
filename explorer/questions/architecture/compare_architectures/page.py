"""Two models side by side: their parts, their numbers, and whose layers came from whose."""

from collections.abc import Iterator

from explorer.api import FIRST, SECOND
from explorer.questions.architecture.architecture.words import count
from explorer.questions.architecture.compare_architectures.lineage import lineage_blocks
from explorer.questions.architecture.compare_architectures.parts import (
    FIRST_COLOUR,
    SECOND_COLOUR,
    parts,
)
from explorer.questions.architecture.compare_architectures.question import (
    CHOSEN,
    OPERATION,
    CompareArchitecturesResult,
    Level,
)
from explorer.questions.architecture.compare_architectures.tensors import tensor_blocks
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.quantities import in_words
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.amounts import Amount, amounts
from explorer.ui.blocks.text import Text, heading
from explorer.ui.document.gestures import set_options


def blocks(shown: Shown) -> Iterator[Block]:
    """Sums, ancestry, tensors, parts."""
    result: CompareArchitecturesResult = shown.result
    first, second = result.titles
    yield Text(f"{first}  ·  {second}", "heading")
    yield Text(_said(result))
    yield Chips([_swap(shown)])
    yield amounts(
        [
            Amount(title, parameters.unique, in_words(parameters.unique), colour)
            for title, parameters, colour in zip(
                result.titles, result.parameters, (FIRST_COLOUR, SECOND_COLOUR), strict=True
            )
        ],
        _("Parameters"),
    )
    if result.level is Level.TENSORS:
        yield from tensor_blocks(result)
        return
    yield heading(_("Did one come from the other?"))
    yield from lineage_blocks(result)
    if result.tensors is not None:
        yield from tensor_blocks(result)
    yield heading(_("Part by part"))
    yield parts(result)


def _swap(shown: Shown) -> Chip:
    first, second = shown.result.model.id, shown.result.other.id
    values = {CHOSEN[FIRST].key: second, CHOSEN[SECOND].key: first}
    act = set_options(shown.now, values, _("swap the two models"))
    return Chip(_("Swap the two"), act, tip=_("Make the first the second"), key=("swap",))


def _said(result: CompareArchitecturesResult) -> str:
    a, b = (one.unique for one in result.parameters)
    first, second = result.titles
    large, small = max(a, b), max(1, min(a, b))
    if a == b:
        return _("Both have {count} parameters.", count=count(a))
    name, other = (first, second) if a > b else (second, first)
    return _(
        "{name} has {large} times the parameters of {other}: {count} and {count_2}.",
        name=name,
        large=decimal(large / small, 2),
        other=other,
        count=count(large),
        count_2=count(small),
    )


PAGE = Page(
    OPERATION,
    blocks,
    waiting_hint=(
        N_(
            "Choose two models above: their weights need not be here. With both loaded, as A and "
            "B, their weights tell whose layers came from whose."
        )
    ),
)
