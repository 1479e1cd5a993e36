"""Options of pages and the field's terms, as they are found by words."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from explorer.text import _
from explorer.text.every_language import EveryLanguage
from explorer.text.glossary import glossary
from explorer.ui.theme.icons import icon
from explorer.ui.views import Listed
from explorer.ui.window.menus.ranking import EntryKind, MenuCommand


def options_of(
    pages: Iterable[Listed],
    show: Callable[[str, str], object],
    parent: QObject,
    everywhere: EveryLanguage,
) -> Iterator[MenuCommand]:
    """What pages can be set to, under their titles.

    Args:
        pages: Whose options.
        show: Shows the page of a question and goes to its option of a key.
        parent: Of the actions.
        everywhere: Knows other languages.
    """
    for page in pages:
        title = _(page.of.title)
        for option in page.of.options:
            if option.in_bar and option.label:
                label = _(option.label)
                action = QAction(parent)
                action.triggered.connect(partial(_call, show, page.of.name, option.key))
                names = everywhere.of(label)
                about = _(option.tip) if option.tip else ""
                glyph = icon("tune-variant")
                yield MenuCommand(action, label, title, about, EntryKind.OPTION, names, (), glyph)


def terms_of(show: Callable[[str], object], parent: QObject) -> Iterator[MenuCommand]:
    """The terms of the glossary.

    Args:
        show: Shows the glossary with what is typed in its filter.
        parent: Of the actions.
    """
    for term, sentence in glossary().items():
        action = QAction(parent)
        action.triggered.connect(partial(_call, show, term.partition(" (")[0]))
        glyph = icon("book-open-variant")
        yield MenuCommand(action, term, _("Glossary"), sentence, EntryKind.TERM, (), (), glyph)


def _call(does: Callable[..., object], *words: str) -> None:
    does(*words)
