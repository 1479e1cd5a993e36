"""Two models side by side: how many numbers each has, whose layers came from whose, their parts."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.question import (
    FIRST,
    SECOND,
    Amount,
    Amounts,
    Choices,
    Grid,
    Look,
    Manner,
    OneChoice,
    Rows,
    Said,
    Sets,
    column,
)
from explorer.architecture.wording import count
from explorer.questions.architecture.compare_architectures.comparing import ComparedRole, RoleSide
from explorer.questions.architecture.compare_architectures.lineage import lineage_parts
from explorer.questions.architecture.compare_architectures.question import (
    CHOSEN,
    CompareArchitecturesResult,
    Level,
)
from explorer.questions.architecture.compare_architectures.tensors import tensor_parts
from explorer.text import N_, Phrase, said, verbatim
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.quantities import in_words
from explorer.text.lists import line_by_line

COLOURS = {
    N_("the same"): "muted",
    N_("only in the first"): "accent",
    N_("only in the second"): "mask",
    N_("other sizes"): "text",
    N_("shared in one"): "positive",
}


def parts(
    result: CompareArchitecturesResult,
) -> Iterator[Said | Choices | Amounts | Rows | Grid]:
    """Sums, ancestry, tensors, parts."""
    yield Said(verbatim("  ·  ".join(result.titles)), Manner.HEADING)
    yield Said(_sums_said(result), Manner.PLAIN, near=True)
    yield Choices((_swap(result),))
    bars = zip(("first", "second"), result.titles, result.parameters, COLOURS_OF, strict=True)
    sums = tuple(
        Amount(name, verbatim(title), one.unique, written=in_words, colour=colour)
        for name, title, one, colour in bars
    )
    yield Amounts(sums, look=Look.BARS, in_files=False)
    if result.level is Level.TENSORS:
        yield from tensor_parts(result)
        return
    yield from lineage_parts(result)
    if result.tensors is not None:
        yield from tensor_parts(result)
    rows = tuple(map(_row, result.parts))
    yield Rows(
        ComparedPartRow,
        rows,
        "first_parameters",
        second_bar="second_parameters",
        words=_in_words,
        title=N_("Part by part"),
    )


COLOURS_OF = ("bar", "bar_original")
"""Of the first and of the second model."""


def _swap(result: CompareArchitecturesResult) -> OneChoice:
    values = {CHOSEN[FIRST].key: result.other.id, CHOSEN[SECOND].key: result.model.id}
    swapping = Sets(values, N_("swap the two models"))
    tip = N_("Swap the models")
    return OneChoice(N_("Swap the two"), swapping, tip=tip, key=("swap",))


def _sums_said(result: CompareArchitecturesResult) -> str:
    a, b = (one.unique for one in result.parameters)
    first, second = result.titles
    large, small = max(a, b), max(1, min(a, b))
    if a == b:
        return Phrase(N_("Both have {count} parameters."), count=count(a))
    name, other = (first, second) if a > b else (second, first)
    return Phrase(
        N_("{name} has {large} times the parameters of {other}: {count} and {count_2}."),
        name=name,
        large=decimal(large / small, 2),
        other=other,
        count=count(large),
        count_2=count(small),
    )


def _parameters_said(count: int) -> str:
    return in_words(count) if count else "–"


@dataclass(frozen=True)
class ComparedPartRow:
    """A part that either of two models has."""

    part: str = column(N_("part"), key=True, written=said)
    verdict: str = column(N_("verdict"), written=said, ink=lambda one: COLOURS.get(one, "text"))
    first: str = column(N_("shapes in the first"), filed=False, written=said, dispensable=True)
    second: str = column(N_("shapes in the second"), filed=False, written=said, dispensable=True)
    first_shapes: str = column(N_("shapes in the first"), shown=False)
    first_sets: int = column(N_("sets in the first"), shown=False)
    first_uses: int = column(N_("uses in the first"), shown=False)
    first_parameters: int = column(N_("parameters (first)"), written=_parameters_said)
    second_shapes: str = column(N_("shapes in the second"), shown=False)
    second_sets: int = column(N_("sets in the second"), shown=False)
    second_uses: int = column(N_("uses in the second"), shown=False)
    second_parameters: int = column(N_("parameters (second)"), written=_parameters_said)


def _row(one: ComparedRole) -> ComparedPartRow:
    return ComparedPartRow(
        one.role,
        one.verdict,
        _shapes(one.first),
        _shapes(one.second),
        *_side(one.first),
        *_side(one.second),
    )


def _side(side: RoleSide) -> tuple[str, int, int, int]:
    return ", ".join(side.shapes), side.copies, side.places, side.parameters


def _in_words(row: ComparedPartRow) -> str:
    """A role in full, for where there is no room for its shapes."""
    role, verdict = Phrase(row.part), Phrase(row.verdict)
    lines = [Phrase(N_("{role}: {verdict}"), role=role, verdict=verdict)]
    if row.first_uses:
        lines.append(Phrase(N_("In the first: {shapes}"), shapes=row.first))
    if row.second_uses:
        lines.append(Phrase(N_("In the second: {shapes}"), shapes=row.second))
    return line_by_line(lines)


def _shapes(side: RoleSide) -> str:
    """The shapes of its weights, how many sets there are, and how often they are used."""
    if not side.places:
        return ""
    told = [shape.replace(" x ", " × ") for shape in side.shapes if " x " in shape]
    words = verbatim(", ".join(told or side.shapes))
    if side.copies > 1:
        words = Phrase(N_("{shapes}, {copies} of each"), shapes=words, copies=side.copies)
    if side.places > side.copies > 0:
        words = Phrase(N_("{shapes}, used {places} times"), shapes=words, places=side.places)
    return words if side.parameters else Phrase(N_("{shapes}, tied"), shapes=words)
