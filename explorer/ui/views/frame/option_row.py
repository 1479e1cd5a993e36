"""Options that do not stand in a view's header: a row of their own above its page."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.api.question import Choice, FilePath, ModelName, Operation, Option, Switch
from explorer.ui.controls.column_flow import ColumnFlow
from explorer.ui.controls.option_bar import OptionBar

IN_HEADER = 3
"""Options that stand in the frame's header at most; more have a row of their own, but for those
that are a button with an icon."""
NARROWEST, WIDEST = 150, 210
"""Of an option in that row."""


def options_in_row(bar: OptionBar, options: Sequence[Option[Any]]) -> list[QWidget]:
    """What does not stand in the header.

    Which model and which file it is about always do: in reach where that can't be answered.

    Args:
        bar: The widgets.
        options: What they are of.
    """
    models = {one.key for one in options if isinstance(one, ModelName)}
    widgets = {key: one for key, one in bar.widgets.items() if key not in models}
    if len(widgets) <= IN_HEADER:
        return []
    small = {
        one.key
        for one in options
        if isinstance(one, FilePath) or (isinstance(one, Switch) and one.glyph)
    }
    return [widgets[key] for key in widgets if key not in small]


def row_of_options(bar: OptionBar, of: Operation[Any, Any], parent: QWidget) -> QWidget:
    """Buttons side by side in a line, and columns of everything else below."""
    row = QWidget(parent)
    row.setObjectName(f"{of.name}Options")
    rows = QVBoxLayout(row)
    rows.setContentsMargins(0, 0, 0, 4)
    keys = [one.key for one in of.options if isinstance(one, Choice) and one.beside]
    beside = [bar.widgets[key] for key in keys if key in bar.widgets]
    if beside:
        line = QHBoxLayout()
        line.setSpacing(20)
        for widget in beside:
            line.addWidget(widget)
        line.addStretch(1)
        rows.addLayout(line)
    columns = QWidget(row)
    flow = ColumnFlow(columns, narrowest=NARROWEST, widest=WIDEST, gap=12)
    flow.setContentsMargins(0, 0, 0, 0)
    for widget in options_in_row(bar, of.options):
        if widget not in beside:
            flow.addWidget(widget)
    rows.addWidget(columns)
    return row
