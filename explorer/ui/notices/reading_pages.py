"""Pages to read: the glossary, and what this program is."""

import html
from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from explorer import __version__
from explorer.api.question import Table
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.read.comparing import side_by_side
from explorer.sessions.records import StoredRun
from explorer.text import N_, _, said
from explorer.text.glossary import glossary, shown_at
from explorer.ui.controls.handed_on import hand_on
from explorer.ui.export.files import table_to_html
from explorer.ui.notices.wording import when
from explorer.ui.theme.schemes import current_theme, theme_signals

OFFLINE = N_(
    "It works without a network: nothing leaves this computer, and nothing is downloaded unless "
    "you ask for it."
)


class ReadingPage(QDialog):
    """A text with a button to close it."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QTextBrowser(self)
        self.text.setObjectName(f"{name}_text")
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setOpenExternalLinks(False)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.buttons.rejected.connect(self.close)
        self.column = QVBoxLayout(self)
        self.column.addWidget(self.text, 1)
        self.column.addWidget(self.buttons)


class GlossaryPage(ReadingPage):
    """The field's terms, with a filter; each leads to what shows it.

    Args:
        titles: What a place where terms are shown is called, by its name.
        go: Goes there.
        parent: The window.
    """

    def __init__(
        self,
        titles: Mapping[str, str] = MappingProxyType({}),
        go: Callable[[str], object] = lambda _place: None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("glossary", _("Glossary"), parent)
        self._titles = titles
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(lambda url: go(url.toString()))
        self.filter = QLineEdit(self)
        self.filter.setObjectName("glossary_filter")
        hand_on(self.filter)
        self.filter.setAccessibleName(_("Filter the glossary"))
        self.filter.setPlaceholderText(_("Filter terms"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._fill)
        # Colours are written into the text.
        theme_signals().changed.connect(self._fill)
        self.column.insertWidget(0, self.filter)
        self.resize(560, 620)
        self._fill()

    def _fill(self) -> None:
        words = self.filter.text().casefold().split()
        kept = {
            term: sentence
            for term, sentence in sorted(glossary().items(), key=lambda one: one[0].casefold())
            if all(word in f"{term} {sentence}".casefold() for word in words)
        }
        nothing = _("No term matches.")
        links = {
            term: (place, self._titles[place])
            for term, place in shown_at().items()
            if place in self._titles
        }
        self.text.setHtml(terms_html(kept, links) or f"<p>{nothing}</p>")


def terms_html(
    terms: Mapping[str, str], links: Mapping[str, tuple[str, str]] = MappingProxyType({})
) -> str:
    """Terms with their sentences, in the colours of now.

    Args:
        terms: Sentences by terms.
        links: Where a link behind a term leads, and what it says.
    """
    tint = current_theme().accent.name()
    return "".join(
        f"<p style='margin:0 0 10px 0'><b style='color:{tint}'>{html.escape(term)}</b><br>"
        f"{html.escape(sentence)}{_link(*links.get(term, ('', '')))}</p>"
        for term, sentence in terms.items()
    )


def _link(place: str, title: str) -> str:
    if not place:
        return ""
    words = html.escape(_("Shown by {title}", title=title))
    return f" <a href='{html.escape(place)}'>{words}</a>"


class AboutPage(ReadingPage):
    """The program, its version, and those of what computes."""

    def __init__(self, versions: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__("about", _("About PLM Explorer"), parent)
        import PySide6

        known = {"plm-explorer": __version__, "PySide6": PySide6.__version__, **versions}
        rows = "".join(
            f"<tr><td style='padding:1px 16px 1px 0'>{html.escape(name)}</td>"
            f"<td>{html.escape(number)}</td></tr>"
            for name, number in known.items()
        )
        what = _("Look inside pretrained language models.")
        licence = _("Free software under the MIT licence.")
        self.text.setHtml(
            f"<h2>PLM Explorer</h2><p>{what}</p><p>{_(OFFLINE)}</p><table>{rows}</table>"
            f"<p>{licence}</p>"
        )
        self.resize(460, 340)


class RowsPage(ReadingPage):
    """A logged run that can't be drawn any more, as the rows that were kept of it."""

    def __init__(self, stored: StoredRun, parent: QWidget | None = None) -> None:
        super().__init__("stored_rows", _("Rows of a logged run"), parent)
        why = stored.unreadable or _("This version of the program has no page for it.")
        table = stored.table
        if table is None and stored.summary_row:
            names, cells = zip(*stored.summary_row.items(), strict=True)
            table = Table(names, (cells,))
        rows = "" if table is None else table_to_html(table)
        self.text.setHtml(
            f"<p><b>{html.escape(stored.summary.text)}</b></p><p>{html.escape(why)}</p>{rows}"
            f"<p>{html.escape(Provenance.of_stored(stored).said(in_file=False))}</p>"
        )
        self.resize(760, 520)


class ComparedPage(ReadingPage):
    """Two runs of one question, row by row: for views that draw no difference."""

    def __init__(
        self, first: StoredRun, second: StoredRun, verdict: str, parent: QWidget | None = None
    ) -> None:
        super().__init__("compared_rows", _("Two runs side by side"), parent)
        assert first.table is not None
        assert second.table is not None
        names = (
            _("of {when}", when=when(first.summary.created_at)),
            _("of {when}", when=when(second.summary.created_at)),
        )
        joined = side_by_side(first.table, second.table, names)
        self.text.setHtml(
            f"<p><b>{html.escape(said(verdict))}</b></p>{table_to_html(joined)}"
            + "".join(
                f"<p>{html.escape(Provenance.of_stored(one).said(in_file=False))}</p>"
                for one in (first, second)
            )
        )
        self.resize(900, 560)
