"""The tree of parts as rows that open."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explorer.architecture.tree import TreeNode
from explorer.architecture.weights import Weight
from explorer.architecture.wording import (
    COLOURS,
    KINDS,
    SECTIONS,
    count,
    share,
    sizes,
)
from explorer.questions.architecture.architecture.question import OPENED, PART
from explorer.text import N_, _
from explorer.text.formatting.quantities import in_words
from explorer.ui.blocks import Bar, BarAxis, BarColumn, BarRow, BarTable, Edit, Shown, set_options

BEFORE_BARS = 2
INDENT = "      "
CLOSED = ["-"]
"""What a document holds where every row was closed; nothing at all means those open at first."""


@dataclass(frozen=True)
class Open:
    """What is open and chosen now.

    Attributes:
        paths: Rows whose parts are seen.
        part: The row that is shown in full; "" for none.
        whole: All parameters.
    """

    paths: tuple[str, ...]
    part: str
    whole: int


def opened_at_first(tree: Iterable[TreeNode]) -> tuple[str, ...]:
    """Paths that are open until the user says otherwise: whatever holds most of the model."""
    found: list[str] = []
    parts = tuple(tree)
    for part in parts:
        if part.parts and part.parameters > 0.5 * sum(p.parameters for p in parts):
            found += [part.path, *opened_at_first(part.parts)]
    return tuple(found[:4])


def tree_table(shown: Shown) -> BarTable:
    """The rows that are seen."""
    tree = shown.result.tree
    paths = tuple(OPENED.of(shown.now)) or opened_at_first(tree)
    now = Open(paths, PART.of(shown.now), sum(part.parameters for part in tree))
    rows = tuple(_rows(shown, tree, 0, now))
    axis = BarAxis(max(now.whole, 1), titled=False)
    label = BarColumn(_("Part"))
    return BarTable(rows, _columns(), axis, _("Every part"), BEFORE_BARS, bold=False, label=label)


def _columns() -> tuple[BarColumn, ...]:
    return (
        BarColumn(_("Kind"), "muted", left=True, dispensable=True),
        BarColumn(_("Shape"), left=True),
        BarColumn(
            _("Sets"), dispensable=True, words=_("Layers that have weights of their own here.")
        ),
        BarColumn(
            _("Uses"), dispensable=True, words=_("How often these weights are used in a pass.")
        ),
        BarColumn(_("Parameters")),
        BarColumn(_("Share"), dispensable=True, words=_("Of all parameters.")),
        BarColumn(_("Multiply-adds per token"), "muted", dispensable=True),
    )


def _rows(shown: Shown, parts: Iterable[TreeNode], depth: int, now: Open) -> Iterator[BarRow]:
    for part in parts:
        inside, is_open = bool(part.parts or part.weights), part.path in now.paths
        sign = ("▾  " if is_open else "▸  ") if inside else "    "
        kind = _(KINDS.get(part.kind, "") or SECTIONS.get(part.section, ""))
        yield BarRow(
            INDENT * depth + sign + title_of(part),
            (
                kind,
                "",
                str(part.copies),
                str(part.places),
                count(part.parameters),
                share(part.parameters, now.whole),
                in_words(part.multiply_adds) if part.multiply_adds else "",
            ),
            (Bar(part.parameters, COLOURS[part.kind or part.section]),),
            ground="selection" if part.path == now.part else "",
            words=tip_of(part),
            inks=("", "", "", "accent" if part.places > part.copies else "", "", "", ""),
            spoken=_(
                _spoken(inside=inside, is_open=is_open),
                title=title_of(part),
                kind=kind,
                count=count(part.parameters),
            ),
            key=("row", part.path),
            act=_toggled(shown, part, now),
        )
        if is_open:
            yield from (_weight_row(weight, depth + 1, now.whole) for weight in part.weights)
            yield from _rows(shown, part.parts, depth + 1, now)


def _toggled(shown: Shown, part: TreeNode, now: Open) -> Edit:
    """Open or close a row; the one that was opened is shown in full."""
    if part.path in now.paths:
        rest = [path for path in now.paths if path != part.path]
        return set_options(
            shown.now, {OPENED.key: rest or CLOSED}, _("close {title_of}", title_of=title_of(part))
        )
    values = {OPENED.key: [*now.paths, part.path], PART.key: part.path}
    return set_options(shown.now, values, _("open {title_of}", title_of=title_of(part)))


def _weight_row(weight: Weight, depth: int, whole: int) -> BarRow:
    name = weight.name.rpartition(".")[2]
    return BarRow(
        INDENT * depth + "    " + name,
        (
            _("tied") if weight.tied else _(KINDS[weight.kind]),
            sizes(weight.shape),
            str(weight.copies),
            str(weight.places),
            count(weight.stored),
            "" if weight.tied else share(weight.stored, whole),
            "",
        ),
        (Bar(0 if weight.tied else weight.stored, "muted"),),
        muted=True,
        inks=("muted",) * 7,
        words=_("The same numbers as {tied}, counted there.", tied=weight.tied)
        if weight.tied
        else "",
        spoken=f"{name}, {sizes(weight.shape)}",
    )


def title_of(part: TreeNode) -> str:
    """As in "query", "layer x 12" for all layers, "layer 1-11 x 11" for some."""
    stem, _unused, span = part.name.rpartition(".")
    if part.copies == 1:
        return part.name
    return f"{stem} × {part.copies}" if span == "*" else f"{stem} {span} × {part.copies}"


def tip_of(part: TreeNode) -> str:
    """What a part is, in full."""
    lines = [part.path, part.module, _("{parameters} parameters", parameters=part.parameters)]
    if part.places > part.copies:
        times = part.places // max(1, part.copies)
        lines.append(
            _(
                "One set of weights, used {times} times: {total} if none were shared",
                times=times,
                total=part.total,
            )
        )
    return "\n".join(line for line in lines if line)


def _spoken(*, inside: bool, is_open: bool) -> str:
    """What a screen reader says of a part, with places."""
    if not inside:
        return N_("{title}, {kind}, {count} parameters")
    if is_open:
        return N_("{title}, open, {kind}, {count} parameters")
    return N_("{title}, closed, {kind}, {count} parameters")
