"""A part in full: its tensors with their shapes, and their numbers where there are any."""

from collections.abc import Iterator, Sequence

from explorer.api import Table
from explorer.questions.architecture.architecture.counting.histograms import (
    Histograms,
    shorter_names,
)
from explorer.questions.architecture.architecture.counting.statistics import Statistics
from explorer.questions.architecture.architecture.counting.tree import Part, flat
from explorer.questions.architecture.architecture.question import PART, ArchitectureResult
from explorer.questions.architecture.architecture.words import count, number, sizes
from explorer.text import _
from explorer.text.formatting.quantities import in_words
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.document.gestures import Edit, set_options

MOST_ROWS = 60
MOST_PICTURES = 24


def opened_part(shown: Shown, path: str) -> Edit:
    """The gesture that shows a part in full, or no longer."""
    is_open = path == PART.of(shown.now)
    name = path.rpartition(".")[2] if not path.endswith("*") else path
    said = _("close {name}", name=name) if is_open else _("open {name}", name=name)
    return set_options(shown.now, {PART.key: None if is_open else path}, said)


def part_blocks(result: ArchitectureResult, part: Part) -> Iterator[Block]:
    """What is said of a part that was opened."""
    said = _("{count} parameters", count=count(part.parameters))
    if part.places > part.copies:
        said += _(
            " in {copies} set{value}, used {places} times",
            copies=part.copies,
            value="" if part.copies == 1 else "s",
            places=part.places,
        )
    elif part.copies > 1:
        said += _(" in {copies} layers", copies=part.copies)
    if part.multiply_adds:
        said += _(" · {in_words} multiply-adds per token", in_words=in_words(part.multiply_adds))
    yield heading(part.path)
    yield note(said, above=Space.TIGHT)
    if result.statistics and result.part == part.path:
        yield from _numbers(part.path, result.statistics)
        return
    yield _shapes(result, part)
    if not result.loaded:
        yield note(_("Load the model to see means, spreads and histograms of these."))


def _shapes(result: ArchitectureResult, part: Part) -> BarTable:
    rows = [
        Row(
            weight.name.removeprefix(f"{part.path}."),
            (
                sizes(weight.shape),
                result.model.dtype or _("as stored"),
                str(weight.copies),
                count(weight.stored),
                _("tied to {tied}", tied=weight.tied) if weight.tied else "",
            ),
        )
        for weight in flat((part,))[:MOST_ROWS]
    ]
    columns = (
        Column(_("Shape"), left=True),
        Column(_("Type"), "muted", left=True, dispensable=True),
        Column(_("Sets")),
        Column(_("Numbers")),
        Column("", "muted", left=True, dispensable=True),
    )
    return BarTable(rows, columns, title=part.path, label=Column(_("Tensor")), bold=False)


def _numbers(part: str, statistics: Sequence[Statistics]) -> Iterator[Block]:
    """A row for each tensor, and a histogram for the first of them."""
    columns = tuple(
        map(Column, (_("Mean"), _("Std"), _("Norm"), _("Smallest"), _("Largest"), _("Zeros")))
    )
    names = shorter_names(part, statistics)
    rows = [
        Row(
            name,
            (
                *map(number, (one.mean, one.std, one.norm, one.minimum, one.maximum)),
                count(one.zeros),
            ),
            below=f"{sizes(one.shape)}, {one.dtype}",
        )
        for name, one in zip(names[:MOST_ROWS], statistics, strict=False)
    ]
    table: list[Block] = [
        BarTable(rows, columns, title=_("Numbers"), label=Column(_("Tensor")), bold=False)
    ]
    if len(statistics) > MOST_ROWS:
        more = _("{count} more are in the exported table.", count=len(statistics) - MOST_ROWS)
        table.append(note(more))
    pictures = Picture(lambda width: Histograms(statistics[:MOST_PICTURES], names, width))
    cards = [Card(table, _("Numbers")), Card([pictures], _("Histograms"))]
    yield Columns(cards, narrowest=CardWidth.WIDE, framed=False)


def statistics_table(result: ArchitectureResult) -> Table:
    """One row a tensor of the part that is open."""
    columns = ("tensor", "shape", "dtype", "mean", "std", "norm", "minimum", "maximum", "zeros")
    return Table(
        columns,
        tuple(
            (
                one.name,
                sizes(one.shape),
                one.dtype,
                one.mean,
                one.std,
                one.norm,
                one.minimum,
                one.maximum,
                one.zeros,
            )
            for one in result.statistics
        ),
    )
