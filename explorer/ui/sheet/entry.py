"""An answer on the comparison sheet: kept as it was, whatever its page shows later."""

from dataclasses import dataclass
from typing import Any

from explorer.api.question import Table
from explorer.text import _
from explorer.text.printable import shortened
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.shown import Origin, Pinned, Shown, masked_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.frame.key_finding import in_words
from explorer.ui.views.page_view import PageView

QUOTED = 30
"""Characters of the text in an entry's title."""


@dataclass(frozen=True)
class SheetEntry:
    """One answer.

    Attributes:
        page: How it looks.
        shown: The answer, and all that the page knew when it drew it.
        origin: How it came about.
        label: What the sheet calls it; "" leaves question, model and text.
    """

    page: Page
    shown: Shown
    origin: Origin
    label: str = ""

    @staticmethod
    def of(view: PageView, label: str = "") -> "SheetEntry | None":
        """What a page shows now, or None where it shows nothing."""
        shown = view.shown(alone=True, beside=True)
        return SheetEntry(view.declared, shown, view.origin, label) if shown is not None else None

    @property
    def operation(self) -> str:
        """The question's name."""
        return self.page.of.name

    @property
    def result(self) -> Any:
        """The answer."""
        return self.shown.result

    @property
    def baseline(self) -> Pinned | None:
        """The pinned answer it is shown as the difference to, or None."""
        return self.shown.pinned

    @property
    def title(self) -> str:
        """What a list calls it."""
        title = _(self.page.of.title)
        if self.label:
            return f"{self.label} · {title}"
        stamp = self.result.model
        text = shortened(masked_text(self.shown.asked), QUOTED)
        model = self.shown.title_of(stamp).rpartition("/")[2] if stamp is not None else ""
        named = [title, model]
        return " · ".join(part for part in (*named, _("“{text}”", text=text)) if part)

    @property
    def words(self) -> str:
        """What its picture shows, for whoever does not see it."""
        return in_words(self.page.of, self.result, self.shown.settings_of(self.page.of))

    @property
    def keywords(self) -> tuple[str, ...]:
        """What it is of: the question and the models."""
        models = (one.id for one in self.origin.models.values())
        return tuple(dict.fromkeys((_(self.page.of.title), *models)))

    def figure(self, width: float, theme: Theme) -> Figure:
        """The picture."""
        return self.page.figure(self.shown, width, theme)

    def caption(self, *, rows: bool = False, in_file: bool = False) -> str:
        """What stands below it, or in a file beside its rows."""
        return self.page.legend(self.shown, self.origin, rows=rows, in_file=in_file)

    @property
    def table(self) -> Table | None:
        """Its rows."""
        return self.page.rows(self.shown)
