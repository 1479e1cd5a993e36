"""What F1 says of the page that is open: what it shows, how it is read, its terms, its keys."""

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QWidget

from explorer.api.question import Question
from explorer.text import N_, _
from explorer.text.glossary import terms_in
from explorer.ui.blocks.block import LaidPage
from explorer.ui.blocks.page.explained import Explanation, explanation_of_page
from explorer.ui.notices.reading_pages import ReadingPage, terms_html
from explorer.ui.notices.shortcut_sheet import IN_ANSWERS
from explorer.ui.theme.schemes import theme_signals

ROWS = 3
"""Of a table, whose words tell which terms the others have, too."""
AGAIN = (N_("Ask again"), "F5")
LINKS = {
    "glossary": N_("All terms (Shift+F1)"),
    "shortcuts": N_("All keys (Ctrl+F1)"),
}
"""Where one reads on: the end of a link, and what it says."""


class PageHelp(ReadingPage):
    """The page that is open, explained.

    Args:
        of: The question whose page it is.
        page: Its answer as it is drawn; None while there is none.
        explanations: Of the answer: what is behind each (i).
        open_link: Opens what is read on, by its name in LINKS.
    """

    def __init__(
        self,
        of: Question[Any, Any],
        page: LaidPage | None,
        explanations: Sequence[Explanation],
        open_link: Callable[[str], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("page_help", _("What “{title}” shows", title=_(of.title)), parent)
        self._of, self._page, self._explanations = of, page, explanations
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(lambda url: open_link(QUrl(url).toString()))
        # Colours are written into the text.
        theme_signals().changed.connect(self._fill)
        self.resize(600, 640)
        self._fill()

    def _fill(self) -> None:
        of = self._of
        page = explanation_of_page(self._explanations) or _(of.about)
        read = [_paragraph(text) for text in filter(None, page.split("\n"))]
        titled: dict[str, str] = {}
        for one in self._explanations:
            # Cards of two models are explained once.
            titled.setdefault(one.text, one.title)
        read += [_paragraph(text, title) for text, title in titled.items() if title]
        options = [(_(one.label), _(one.tip)) for one in of.options if one.in_bar and one.tip]
        said = (one.text for one in self._explanations)
        terms = terms_in((*_texts(of, self._page), *said))
        keys = [(_(what), _(pressed)) for what, pressed in (AGAIN, *IN_ANSWERS)]
        if of.listing.shortcut:
            keys.insert(0, (_("Show this page"), of.listing.shortcut))
        links = " · ".join(f"<a href='{name}'>{html.escape(_(LINKS[name]))}</a>" for name in LINKS)
        self.text.setHtml(
            f"<h2>{html.escape(_(of.title))}</h2><p>{html.escape(_(of.asks))}</p>"
            + _section(_("How to read it"), "".join(read))
            + _section(_("What can be set"), _rows(options))
            + _section(_("Its terms"), terms_html(terms))
            + _section(_("Its keys"), _rows(keys))
            + f"<p>{links}</p>"
        )


def _texts(of: Question[Any, Any], page: LaidPage | None) -> Iterator[str]:
    """What a page says, and what its question says of itself."""
    yield from (_(of.title), _(of.asks), _(of.about), *of.found_by)
    for option in of.options:
        yield from (_(option.label), _(option.tip))
    for node in page.nodes if page is not None else ():
        yield node.name
        for spot in node.spots[:ROWS]:
            yield from (spot.said, spot.words)


def _section(title: str, inside: str) -> str:
    return f"<h3>{html.escape(title)}</h3>{inside}" if inside else ""


def _paragraph(text: str, title: str = "") -> str:
    above = f"<b>{html.escape(title)}</b><br>" if title else ""
    said = html.escape(text).replace("\n", "<br>")
    return f"<p style='margin:0 0 8px 0'>{above}{said}</p>"


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    lines = "".join(
        f"<tr><td style='padding:2px 18px 2px 0'><b>{html.escape(one)}</b></td>"
        f"<td style='padding:2px 0'>{html.escape(other)}</td></tr>"
        for one, other in rows
    )
    return f"<table>{lines}</table>" if lines else ""
