"""A part in full: its tensors with their shapes, and their numbers where there are any."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.api.question import (
    Cards,
    Manner,
    OneCard,
    OwnPicture,
    Rows,
    Said,
    Table,
    Width,
    column,
)
from explorer.architecture.statistics import Statistics
from explorer.architecture.tree import TreeNode, flat
from explorer.architecture.wording import count, number, sizes
from explorer.questions.architecture.architecture.question import ArchitectureResult
from explorer.text import N_, Phrase, said, verbatim
from explorer.text.formatting.quantities import in_words

MOST_ROWS = 60


def part_parts(result: ArchitectureResult, part: TreeNode) -> Iterator[Said | Cards | Rows]:
    """What is said of a part that was opened."""
    yield Said(verbatim(part.path), Manner.TITLE)
    yield Said(_counted(part), near=True)
    if result.statistics and result.part == part.path:
        yield _numbers(part.path, result.statistics)
        return
    rows = tuple(_shapes(result, part))
    yield Rows(ShapeRow, rows, title=verbatim(part.path), in_files=False)
    if not result.loaded:
        yield Said(N_("Load the model to see means, spreads and histograms of these."), near=True)


def _counted(part: TreeNode) -> Phrase:
    told = Phrase(N_("{count} parameters"), count=count(part.parameters))
    if part.places > part.copies:
        sets = N_("{counted} in {copies} set, used {places} times")
        several = N_("{counted} in {copies} sets, used {places} times")
        code = sets if part.copies == 1 else several
        told = Phrase(code, counted=told, copies=part.copies, places=part.places)
    elif part.copies > 1:
        told = Phrase(N_("{counted} in {copies} layers"), counted=told, copies=part.copies)
    if part.multiply_adds:
        work = in_words(part.multiply_adds)
        told = Phrase(N_("{counted} · {work} multiply-adds per token"), counted=told, work=work)
    return told


@dataclass(frozen=True)
class ShapeRow:
    """A tensor of a part."""

    tensor: str = column(N_("tensor"), key=True)
    shape: str = column(N_("shape"))
    type: str = column(N_("type"), written=said, dispensable=True)
    sets: int = column(N_("sets"))
    numbers: int = column(N_("numbers"))
    tied: str | None = column(N_("tied to"), dispensable=True)


def _shapes(result: ArchitectureResult, part: TreeNode) -> Iterator[ShapeRow]:
    for weight in flat((part,))[:MOST_ROWS]:
        yield ShapeRow(
            weight.name.removeprefix(f"{part.path}."),
            sizes(weight.shape),
            result.model.dtype or N_("as stored"),
            weight.copies,
            weight.stored,
            weight.tied or None,
        )


@dataclass(frozen=True)
class WeightNumbersRow:
    """A tensor of a loaded model, and what its numbers look like."""

    name: str = column(N_("tensor"), filed=False)
    tensor: str = column(N_("tensor"), key=True, shown=False)
    shape: str = column(N_("shape"), shown=False)
    dtype: str = column(N_("type"), shown=False)
    mean: float = column(N_("mean"), written=number)
    std: float = column(N_("std"), written=number)
    norm: float = column(N_("L2 norm"), written=number)
    minimum: float = column(N_("smallest"), written=number)
    maximum: float = column(N_("largest"), written=number)
    zeros: int = column(N_("zeros"))


def shorter_names(part: str, statistics: Sequence[Statistics]) -> list[str]:
    """Names without the path of the part they are in; the number of a layer stays."""
    path = re.compile(re.escape(part).replace(r"\*", r"(\d+)") + r"\.")
    return [
        ".".join((*found.groups(), one.name[found.end() :])) if found is not None else one.name
        for one, found in ((one, path.match(one.name)) for one in statistics)
    ]


def _rows(part: str, statistics: Sequence[Statistics]) -> Rows:
    names = shorter_names(part, statistics)
    rows = (
        WeightNumbersRow(
            name,
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
        for name, one in zip(names, statistics, strict=True)
    )
    return Rows(
        WeightNumbersRow,
        tuple(rows),
        most=MOST_ROWS,
        below=lambda row: verbatim(f"{row.shape}, {row.dtype}"),
        title=N_("Numbers"),
        in_files=False,
    )


def _numbers(part: str, statistics: Sequence[Statistics]) -> Cards:
    """A row for each tensor, and a histogram for the first of them."""
    table: list[Rows | Said] = [_rows(part, statistics)]
    if len(statistics) > MOST_ROWS:
        more = N_("{count} more are in the exported table.")
        table.append(Said(Phrase(more, count=len(statistics) - MOST_ROWS), near=True))
    cards = (OneCard("", table), OneCard("", (OwnPicture("histograms"),)))
    return Cards(cards, Width.WIDE, framed=False)


def statistics_table(result: ArchitectureResult) -> Table:
    """One row a tensor of the part that is open."""
    return _rows(result.part, result.statistics).table()
