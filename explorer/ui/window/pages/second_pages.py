"""Pages that are open twice: of the other model, of a text that is held, or set otherwise."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from explorer.questions import all_questions
from explorer.text import N_, _
from explorer.text.printable import shortened
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.document.gestures import quoted
from explorer.ui.document.second_page import (
    SecondPage,
    is_second,
    open_twice,
    question_of,
    second_name,
    settings_of,
    texts_of,
)
from explorer.ui.theme.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.api.question import Question
    from explorer.ui.blocks.block import Block
    from explorer.ui.blocks.page.shown import Twin
    from explorer.ui.views.frame.view_frame import ViewFrame
    from explorer.ui.window.host import HostWindow
    from explorer.ui.window.pages.pages import Pages

OTHER_MODEL, HELD_TEXT, OWN_SETTINGS = "other_model", "held_text", "own_settings"
WAYS = {
    OTHER_MODEL: N_("This page of the &other model"),
    HELD_TEXT: N_("This page with this &text kept"),
    OWN_SETTINGS: N_("This page with other &settings"),
}
"""By what the second page differs when it is opened, and what menus say."""
MOST = 24
"""Characters of a model's title."""
FEWEST = 8
"""Characters of what a page is, where there is little room."""


class SecondPages(QObject):
    """Opens and closes second pages as the document has them, and says what each is of.

    Args:
        window: With its pages.
        pages: The pages that have widgets.
    """

    def __init__(self, window: HostWindow, pages: Pages) -> None:
        super().__init__(window)
        self._bench, self._area, self._pages = window.bench, window.view_area, pages
        self._drawn: dict[str, list[Block]] = {}
        self._area.entries = self._offer
        self._area.second_unwanted.connect(self.close)
        pages.made.connect(self._made)
        # To methods alone: what is behind the window lives on when it is made anew.
        self._bench.state.changed.connect(self._follow)
        self._bench.models.changed.connect(self._say)
        self._bench.models.active_changed.connect(self._say)
        self._know()

    # ---- gestures ----------------------------------------------------------------------------

    def open(self, way: str, question: str = "") -> None:
        """Open a page a second time beside itself.

        Args:
            way: One of WAYS.
            question: Whose page it is; "" for the one that was used last.
        """
        of = self._question(question or self._area.current.question)
        if of is None:
            return
        document = self._bench.state.document
        before = SecondPage.of(document, of.name) or SecondPage()
        # Two models that are asked at once, or none, can't be exchanged for another one.
        if way == OTHER_MODEL and not _asks_one(of):
            way = OWN_SETTINGS
        second = {
            OTHER_MODEL: replace(before, other_model=True),
            HELD_TEXT: replace(before, held=before.held or texts_of(document)),
            OWN_SETTINGS: replace(before, settings=before.settings or settings_of(document, of)),
        }[way]
        name = _("open {title} twice", title=_(of.title))
        self._bench.state.edit(name, second.put(document, of.name))
        self._area.bring_forward(second_name(of.name))

    def close(self, page: str) -> None:
        """Have a page once."""
        of = self._question(page)
        if of is not None:
            document = self._bench.state.document
            once = document.with_option(SecondPage.key(of.name), None)
            self._bench.state.edit(_("close the second {title}", title=_(of.title)), once)

    def close_all(self) -> None:
        """Have every page once."""
        for page in [*self._area.seconds]:
            self.close(page)

    def _change(self, question: str, change: Callable[[SecondPage], SecondPage]) -> None:
        of, document = all_questions()[question], self._bench.state.document
        second = SecondPage.of(document, question)
        if second is not None:
            name = _("change the second {title}", title=_(of.title))
            self._bench.state.edit(name, change(second).put(document, question))

    def _exchange(self, question: str) -> None:
        """Let the text that is held and that of the window change places."""
        document = self._bench.state.document
        second = SecondPage.of(document, question)
        if second is not None and second.held is not None:
            self._bench.state.edit(_("exchange the texts"), second.exchanged(document, question))

    # ---- what menus offer --------------------------------------------------------------------

    def _question(self, page: str) -> Question[Any, Any] | None:
        return all_questions().get(question_of(page))

    def _offer(self, menu: QMenu, page: str) -> None:
        """What a page can be laid beside of itself, above other pages."""
        of = self._question(page)
        if of is None:
            return
        for way, words in WAYS.items():
            if way != OTHER_MODEL or _asks_one(of):
                entry = menu.addAction(_(words))
                entry.setObjectName(f"twice_{way}")
                entry.triggered.connect(partial(self.open, way, of.name))
        menu.addSeparator()

    def _offer_changes(self, menu: QMenu, question: str) -> None:
        """What a second page follows, and what it has of its own."""
        menu.clear()
        document = self._bench.state.document
        of, second = all_questions()[question], SecondPage.of(document, question)
        if second is None:
            return
        texts = texts_of(document)
        own = settings_of(document, of)
        for name, words, is_on, change in (
            (
                OTHER_MODEL,
                _("The other &model"),
                second.other_model,
                lambda one: replace(one, other_model=not one.other_model),
            ),
            (
                HELD_TEXT,
                _("Keep this &text"),
                second.held is not None,
                lambda one: replace(one, held=None if one.held is not None else texts),
            ),
            (
                OWN_SETTINGS,
                _("&Settings of its own"),
                second.settings is not None,
                lambda one: replace(one, settings=None if one.settings is not None else own),
            ),
        ):
            if name != OTHER_MODEL or _asks_one(of):
                entry = menu.addAction(words)
                entry.setObjectName(f"second_{name}")
                entry.setCheckable(True)
                entry.setChecked(is_on)
                entry.triggered.connect(partial(self._change, question, change))
        if second.held is not None:
            menu.addSeparator()
            entry = menu.addAction(_("&Exchange its text and the one above"))
            entry.setObjectName("second_exchange")
            entry.triggered.connect(partial(self._exchange, question))
        menu.addSeparator()
        entry = menu.addAction(_("&Close"))
        entry.triggered.connect(partial(self.close, second_name(question)))

    # ---- following the document --------------------------------------------------------------

    def _know(self) -> None:
        every, area = all_questions(), self._area
        there = [one for one in open_twice(self._bench.state.document) if area.has(one)]
        area.seconds = {second_name(one): _second_title(_(every[one].title)) for one in there}

    def _follow(self, _document: object) -> None:
        """Open and close as the document has it now: it was undone, read or changed."""
        before = self._area.seconds
        self._know()
        now = self._area.seconds
        for page in before.keys() - now.keys():
            self._area.close_page(page)
            self._part(page)
        for page in now.keys() - before.keys():
            self._area.open_second(page)
            self._pair(page)
        self._say()

    def _made(self, page: str, frame: ViewFrame) -> None:
        """A page has widgets: it says which of two it is, and has the other's scale."""
        if second_name(question_of(page)) in self._area.seconds:
            self._pair(page)
        if is_second(page):
            chip = frame.header.chip
            menu = QMenu(chip)
            menu.setObjectName("second_menu")
            menu.aboutToShow.connect(partial(self._offer_changes, menu, question_of(page)))
            chip.opens(menu)
            chip.setIcon(icon("menu-down", "text"))
        self._name(page, frame)

    def _say(self, _slot: str = "") -> None:
        for page, frame in self._area.frames.items():
            self._name(page, frame)

    def _name(self, page: str, frame: ViewFrame) -> None:
        of, chip = self._question(page), frame.header.chip
        if of is None:
            return
        second = SecondPage.of(self._bench.state.document, of.name)
        parts, title = [], _(of.title)
        if second is not None:
            one = second if is_second(page) else SecondPage()
            parts = self._words(of, one, second)
        words = " · ".join(parts)
        in_short = shortened(parts[0].partition(" · ")[0], FEWEST) if parts else ""
        held = second.held.text if second is not None and second.held is not None else ""
        tip = _("What this second page follows, and what it has itself")
        chip.setToolTip(plain_tip("\n".join(filter(None, (held or words, tip)))))
        chip.setEnabled(is_second(page))
        frame.header.say_which(words, in_short)
        frame.setAccessibleName(f"{title}: {words}" if words else title)

    # ---- one scale ---------------------------------------------------------------------------

    def _pair(self, page: str) -> None:
        """Lay the two pages of a question on one scale, as far as they have widgets."""
        first = question_of(page)
        for name in (first, second_name(first)):
            view = self._pages.views.get(name)
            if view is not None:
                view.fitted = partial(self._fit, name)
                view.twin = partial(self._twin, name)
                view.refresh()

    def _part(self, page: str) -> None:
        first = question_of(page)
        for name in (first, page):
            self._drawn.pop(name, None)
            view = self._pages.views.get(name)
            if view is not None:
                view.fitted = list
                view.twin = _nobody
                view.refresh()

    def _fit(self, page: str, blocks: list[Block]) -> list[Block]:
        """A page's blocks on the scale that they share with the other page's, which has it too."""
        # Charts and matrices: a window that shows none of them twice does without.
        from explorer.ui.views.one_scale import on_one_scale

        first = question_of(page)
        other = first if is_second(page) else second_name(first)
        self._drawn[page], drawn = blocks, self._drawn.get(other, [])
        view = self._pages.views.get(other)
        if view is not None and view.laid and drawn:
            view.lay(on_one_scale(drawn, blocks))
        return on_one_scale(blocks, drawn)

    def _twin(self, page: str) -> Twin | None:
        """What the page of the same question beside a page shows; None without an answer."""
        from explorer.ui.blocks.page.shown import Twin
        from explorer.ui.views.one_scale import on_one_scale

        first = question_of(page)
        other = first if is_second(page) else second_name(first)
        view, of = self._pages.views.get(other), self._question(first)
        second = SecondPage.of(self._bench.state.document, first)
        shown = None if view is None else view.shown(alone=True)
        if view is None or shown is None or of is None or second is None:
            return None
        # What follows the window has no words of its own where a text or settings are held.
        text = quoted(self._bench.state.document.text)
        titles = [
            " · ".join(self._words(of, one, second)) or text for one in (SecondPage(), second)
        ]
        own, its = reversed(titles) if is_second(page) else titles
        return Twin(shown, view.origin, (own, its), on_one_scale)

    def _words(self, of: Question[Any, Any], page: SecondPage, second: SecondPage) -> list[str]:
        """By what a page differs from the other: its model, a text that it holds, its settings."""
        models, parts = self._bench.models, []
        slot = page.slot(models.active)
        card = models.cards.get(slot)
        if _asks_one(of) and (second.other_model or second == SecondPage()):
            title = _("no model") if card is None else shortened(card.title, MOST)
            parts.append(f"{slot} · {title}")
        if page.held is not None:
            parts.append(quoted(page.held.text))
        if page.settings is not None:
            parts.append(_("settings of its own"))
        return parts


def _asks_one(of: Question[Any, Any]) -> bool:
    """Whether the model that answers is asked, so that the other one can be in its place."""
    return len(of.roles) == 1 or (not of.roles and of.delegates_to is not None)


def _nobody() -> None:
    """The twin of a page that is open once."""


def _second_title(title: str) -> str:
    return _("{title}, second page", title=title)
