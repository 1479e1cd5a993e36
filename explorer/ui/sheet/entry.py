"""An answer on the comparison sheet: kept as it was, whatever its view shows later."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.api import Table
from explorer.document import Document
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.shown import Detail, Origin, Pinned
from explorer.ui.theme.schemes import Theme
from explorer.ui.views import View, views


@dataclass(frozen=True)
class Entry:
    """One answer.

    Attributes:
        operation: Its name.
        result: The operation's.
        document: The one that asked.
        origin: How it came about.
        baseline: The pinned answer it is shown as the difference to, or None.
        label: What the sheet calls it; "" leaves the view's own title.
        details: Parts of the answer that are drawn, as the head that is looked at.
        now: The document whose options say how it is drawn; None for the one that asked.
    """

    operation: str
    result: Any
    document: Document
    origin: Origin
    baseline: Pinned | None = None
    label: str = ""
    details: Mapping[Detail, Any] = field(default_factory=dict)
    now: Document | None = None

    @staticmethod
    def of(view: View, label: str = "") -> "Entry | None":
        """What a view shows now, or None where it shows nothing."""
        if view.result is None or view.document is None:
            return None
        return Entry(
            view.operation,
            view.result,
            view.document,
            view.origin,
            view.baseline,
            label,
            view.drawn_parts,
            view.drawn_as,
        )

    @property
    def title(self) -> str:
        """What a list calls it."""
        kind = _kind(self.operation)
        name = kind.of.title if kind is not None else self.operation
        return f"{self.label} · {name}" if self.label else name


class Shown:
    """An entry in a view of its own, which nobody sees: it gives figure, table and caption."""

    def __init__(self, entry: Entry) -> None:
        kind = _kind(entry.operation)
        self.entry = entry
        self.view: View | None = None
        if kind is None:
            return
        self.view = kind()
        self.view.baseline = entry.baseline
        self.view.know(entry.details)
        self.view.set_document(entry.now or entry.document)
        self.view.show_result(entry.result, entry.document, entry.origin)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The picture, or None where the view has none."""
        return self.view.figure(width, theme) if self.view is not None else None

    @property
    def caption(self) -> str:
        """What stands below it."""
        return self.view.caption() if self.view is not None else ""

    @property
    def table(self) -> Table | None:
        """Its rows."""
        return self.view.table() if self.view is not None else None

    def close(self) -> None:
        """Let the view go."""
        if self.view is not None:
            self.view.deleteLater()
            self.view = None


def _kind(operation: str) -> type[View] | None:
    return next((kind for kind in views() if kind.of.name == operation), None)
