"""The parts of two models side by side: shapes, numbers, what is the same."""

from explorer.questions.architecture.compare_architectures.comparing import Compared, Side
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesResult,
)
from explorer.text import N_, _
from explorer.text.formatting.quantities import in_words
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row

FIRST_COLOUR, SECOND_COLOUR = "bar", "bar_original"
COLOURS = {
    N_("the same"): "muted",
    N_("only in the first"): "accent",
    N_("only in the second"): "mask",
    N_("other sizes"): "text",
    N_("shared in one"): "positive",
}


def parts(result: CompareArchitecturesResult) -> BarTable:
    """A row a role: what is the same, shapes, and numbers as bars."""
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
    told = [shape.replace(" x ", " × ") for shape in side.shapes if " x " in shape]
    words = ", ".join(told or side.shapes)
    if side.copies > 1:
        words += _(", {copies} of each", copies=side.copies)
    if side.places > side.copies > 0:
        words += _(", used {places} times", places=side.places)
    return words
