"""Two models side by side: their parts, their numbers, and whose layers came from whose."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from explorer.api import FIRST, SECOND
from explorer.questions.architecture.architecture.counting.amounts import Amount, amounts
from explorer.questions.architecture.architecture.words import count
from explorer.questions.architecture.compare_architectures.ancestry import Ancestry
from explorer.questions.architecture.compare_architectures.comparing import Compared, Side
from explorer.questions.architecture.compare_architectures.question import (
    CHOSEN,
    OPERATION,
    CompareArchitecturesResult,
    Level,
    asked,
)
from explorer.questions.architecture.compare_architectures.tensors import tensor_blocks
from explorer.text import N_, _
from explorer.text.numbers import decimal
from explorer.text.quantities import in_words
from explorer.ui.blocks.bar_table import BarTable
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.document.gestures import set_options
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale, number

SIZE = CellSize(10.0, 64.0, 0.625, 6.0, 40.0)
FIRST_COLOUR, SECOND_COLOUR = "bar", "bar_original"
COLOURS = {
    N_("the same"): "muted",
    N_("only in the first"): "accent",
    N_("only in the second"): "mask",
    N_("other sizes"): "text",
    N_("shared in one"): "positive",
}


def blocks(shown: Shown) -> Iterator[Block]:
    """Sums, ancestry, tensors, parts."""
    result: CompareArchitecturesResult = shown.result
    first, second = result.titles
    yield Text(f"{first}  ·  {second}", "heading")
    yield Text(_said(result), above=4)
    if not shown.alone:
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
    yield heading(_("Did one come from the other?"), above=18)
    yield from _ancestry(result)
    if result.tensors is not None:
        yield from tensor_blocks(result)
    yield heading(_("Part by part"), above=20)
    yield _parts(result)


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


def _parts(result: CompareArchitecturesResult) -> BarTable:
    shapes = [
        Column(title, "muted", left=True, dispensable=True)
        for title in (_("Shapes in the first"), _("Shapes in the second"))
    ]
    columns = (Column("", left=True), *shapes, *map(Column, result.titles))
    rows = [
        Row(
            _(one.role),
            (
                _(one.verdict),
                _shapes(one.first),
                _shapes(one.second),
                _amount(one.first),
                _amount(one.second),
            ),
            (_bar(one.first, FIRST_COLOUR), _bar(one.second, SECOND_COLOUR)),
            inks=(COLOURS.get(one.verdict, "text"), "", "", "", ""),
            words=_in_words(one),
        )
        for one in result.parts
    ]
    most = max(
        (max(one.first.parameters, one.second.parameters) for one in result.parts), default=1
    )
    axis = Axis(max(float(most), 1.0), titled=False)
    label = Column(_("Part"))
    return BarTable(rows, columns, axis, _("Part by part"), 3, bold=False, label=label)


def _bar(side: Side, colour: str) -> Bar | None:
    return Bar(side.parameters, colour) if side.parameters else None


def _in_words(one: Compared) -> str:
    """A role in full, for where there is no room for its shapes."""
    lines = [_("{role}: {verdict}", role=_(one.role), verdict=_(one.verdict))]
    if one.first.places:
        lines.append(_("In the first: {shapes}", shapes=_shapes(one.first)))
    if one.second.places:
        lines.append(_("In the second: {shapes}", shapes=_shapes(one.second)))
    return "\n".join(lines)


def _amount(side: Side) -> str:
    if not side.places:
        return _("none")
    if not side.parameters:
        return _("tied")
    return in_words(side.parameters)


def _shapes(side: Side) -> str:
    if not side.places:
        return ""
    words = ", ".join(shape for shape in side.shapes if " x " in shape) or ", ".join(side.shapes)
    if side.copies > 1:
        words += _(", {copies} of each", copies=side.copies)
    if side.places > side.copies > 0:
        words += _(", used {places} times", places=side.places)
    return words


def _ancestry(result: CompareArchitecturesResult) -> Iterator[Block]:
    ancestry = result.ancestry
    if ancestry is None:
        yield note(
            _(
                "Only weights can tell: load one model as A and the other as B, and choose the "
                "loaded ones here."
            ),
            above=4,
        )
    elif ancestry.why_not:
        yield Text(_(ancestry.why_not), above=4)
    else:
        yield Text(lineage(result, ancestry), above=4)
        yield cosines(ancestry.cosines)
        yield note(
            _(
                "Cosine between the weights of a layer of the first (rows) and of the second "
                "(columns). Layers that were trained apart are near 0."
            ),
            above=4,
        )


def lineage(result: CompareArchitecturesResult, ancestry: Ancestry) -> str:
    """Which layers came from which, in a sentence."""
    first, second = result.titles
    known = [(i, j) for i, j in enumerate(ancestry.came_from) if j is not None]
    if not known:
        return _(
            "No layer of {first} is clearly like one of {second}: they were trained apart.",
            first=first,
            second=second,
        )
    pairs = ", ".join(_("{i} from {j}", i=i, j=j) for i, j in known)
    sentences = [
        _(
            "Layers of {first} that came from {second} or share an ancestor with it: {pairs}.",
            first=first,
            second=second,
            pairs=pairs,
        )
    ]
    rest = len(ancestry.came_from) - len(known)
    if rest:
        sentences.append(_("{rest} others are like none.", rest=rest))
    if ancestry.embedding is not None:
        sentences.append(
            _(
                "The piece embeddings' cosine is {embedding}.",
                embedding=decimal(ancestry.embedding, 3),
            )
        )
    return " ".join(sentences)


def cosines(values: "np.ndarray[Any, Any]") -> MatrixBlock:
    """The cosines as colours, with numbers."""
    rows = tuple(_("layer {i}", i=i) for i in range(values.shape[0]))
    columns = tuple(str(j) for j in range(values.shape[1]))

    def said(row: int, column: int) -> str:
        value = number(float(values[row, column]))
        return _(
            "Layer {row} of the first, layer {column} of the second: {value}",
            row=row,
            column=column,
            value=value,
        )

    content = HeatContent(values, rows, columns, Scale(), said=said)
    return MatrixBlock(Matrix(content), SIZE, above=8)


PAGE = Page(
    OPERATION,
    blocks,
    waiting_hint=(
        N_(
            "Choose two models above: their weights need not be here. With both loaded, as A and "
            "B, their weights tell whose layers came from whose."
        )
    ),
    request=asked,
)
