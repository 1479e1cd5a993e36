"""The tree of parts as rows that open."""

from collections.abc import Iterable

from explorer.questions.architecture.architecture.tree import Part
from explorer.questions.architecture.architecture.weights import Weight
from explorer.text.quantities import in_words
from explorer.ui.views.dissecting.grid import Column, Grid, Row
from explorer.ui.views.dissecting.words import KINDS, SECTIONS, count, share

COLUMNS = (
    Column("Part"),
    Column("Kind"),
    Column("Shape"),
    Column("Sets", numbers=True),
    Column("Uses", numbers=True),
    Column("Parameters", numbers=True),
    Column("Share", numbers=True),
    Column("Multiply-adds a token", numbers=True),
)
NARROW = 620.0


def opened_at_first(tree: Iterable[Part]) -> tuple[str, ...]:
    """Paths that are open until the user says otherwise: whatever holds most of the model."""
    found: list[str] = []
    parts = tuple(tree)
    for part in parts:
        if part.parts and part.parameters > 0.5 * sum(p.parameters for p in parts):
            found += [part.path, *opened_at_first(part.parts)]
    return tuple(found[:4])


def tree_grid(tree: tuple[Part, ...], opened: frozenset[str], selected: str, width: float) -> Grid:
    """The rows that are seen."""
    whole = sum(part.parameters for part in tree)
    rows: list[Row] = []
    _add(tree, 0, opened, selected, whole, rows)
    if width >= NARROW:
        return Grid(COLUMNS, rows, width)
    kept = (0, 2, 5)
    slim = [
        Row(
            tuple(row.cells[i] for i in kept),
            row.key,
            {kept.index(i): c for i, c in row.colours.items() if i in kept},
            row.chosen,
            row.tip,
        )
        for row in rows
    ]
    return Grid([COLUMNS[i] for i in kept], slim, width)


def _add(
    parts: Iterable[Part],
    depth: int,
    opened: frozenset[str],
    selected: str,
    whole: int,
    rows: list[Row],
) -> None:
    for part in parts:
        inside = bool(part.parts or part.weights)
        sign = ("▾ " if part.path in opened else "▸ ") if inside else "   "
        rows.append(
            Row(
                (
                    "    " * depth + sign + title_of(part),
                    KINDS.get(part.kind, "") or SECTIONS.get(part.section, ""),
                    "",
                    str(part.copies),
                    str(part.places),
                    count(part.parameters),
                    share(part.parameters, whole),
                    in_words(part.multiply_adds) if part.multiply_adds else "",
                ),
                ("row", part.path),
                {1: "muted", 7: "muted", 4: "accent" if part.places > part.copies else "text"},
                part.path == selected,
                tip_of(part),
            )
        )
        if part.path in opened:
            rows += [_weight_row(weight, depth + 1, whole) for weight in part.weights]
            _add(part.parts, depth + 1, opened, selected, whole, rows)


def _weight_row(weight: Weight, depth: int, whole: int) -> Row:
    says = f"tied to {weight.tied}" if weight.tied else share(weight.stored, whole)
    return Row(
        (
            "    " * depth + "   " + weight.name.rpartition(".")[2],
            "tied" if weight.tied else KINDS[weight.kind],
            " x ".join(str(size) for size in weight.shape),
            str(weight.copies),
            str(weight.places),
            count(weight.stored),
            "" if weight.tied else says,
            "",
        ),
        None,
        dict.fromkeys(range(8), "muted"),
        tip=f"The same numbers as {weight.tied}, counted there." if weight.tied else "",
    )


def title_of(part: Part) -> str:
    """As in "query", "layer x 12" for all layers, "layer 1-11 x 11" for some."""
    stem, _, span = part.name.rpartition(".")
    if part.copies == 1:
        return part.name
    return f"{stem} x {part.copies}" if span == "*" else f"{stem} {span} x {part.copies}"


def tip_of(part: Part) -> str:
    """What a part is, in full."""
    lines = [part.path, part.module, f"{part.parameters:,} parameters"]
    if part.places > part.copies:
        times = part.places // max(1, part.copies)
        lines.append(f"One set of weights, used {times} times: {part.total:,} if none were shared")
    return "\n".join(line for line in lines if line)
