"""The pages: a stack of which one is seen, others beside it, and others in windows of their own."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QRubberBand, QVBoxLayout, QWidget

from explorer.text import _
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.document.second_page import question_of
from explorer.ui.guarded import guarded
from explorer.ui.notices.wording import menu_text
from explorer.ui.theme.text_roles import in_role
from explorer.ui.views.frame.view_frame import ViewFrame
from explorer.ui.window.pages.columns import Edge, SplitColumns
from explorer.ui.window.pages.current_view import CurrentView
from explorer.ui.window.pages.pane import Pane

FLOATED = 48
"""Pixels by which a page is moved off its place when it floats: there it would look as if nothing
was done."""
LEAST_FLOATING = QSize(360, 280)


@guarded
class ViewArea(QWidget):
    """The pages, each made when it is first seen.

    One place is the main one: a page that is brought forward is seen there, in front of those that
    were. What is opened beside it, dragged or let float has a place to itself until it is closed.

    Attributes:
        titles: By question, in the pages' order.
        seconds: The same of second pages of questions that are open twice.
        tabs: The questions of a page that has several, each by each of them.
        frames: Of the pages that were made, by question.
        entries: Puts what a page can be laid beside, but other pages, into a menu.
        make: Makes the frame of a question's page in the place where it will be seen.
        current: Which of the pages a key or a menu means.
        main: The main place.
        columns: The places that do not float.
        floating: Those that do.

    Signals:
        visibility_changed: A page's question, and whether it can be seen.
        second_unwanted: A second page's name: the user closes it.
    """

    visibility_changed = Signal(str, bool)
    second_unwanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("view_area")
        self.titles: dict[str, str] = {}
        self.seconds: dict[str, str] = {}
        self.entries: Callable[[QMenu, str], object] = lambda _menu, _question: None
        self.tabs: dict[str, list[str]] = {}
        self.frames: dict[str, ViewFrame] = {}
        self.make: Callable[[str, QWidget], ViewFrame] | None = None
        self.current = CurrentView(self)
        self.nothing = plain_label(self, _("Choose a page in the list on the left."))
        self.nothing.setObjectName("no_view")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        in_role(self.nothing, "muted")
        self.nothing.setWordWrap(True)
        self.floating: list[Pane] = []
        self._is_hushed = False
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, self)
        self.columns = SplitColumns(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.columns)
        self.main = self._pane(self.nothing)
        self.columns.put(self.main)

    def add(self, name: str, title: str, tab_of: str = "") -> None:
        """Know of a page, by the name of its question, or of a tab on another question's page."""
        self.titles[name] = title
        if tab_of in self.titles:
            tabs = self.tabs.setdefault(tab_of, [tab_of])
            tabs.append(name)
            self.tabs[name] = tabs

    def fill(self, question: str, pane: Pane | None = None) -> ViewFrame:
        """The frame of a page, made if it is not there yet.

        Args:
            question: Whose page it is.
            pane: Where it is made; None for the main place.

        Raises:
            KeyError: There is no page of this question.
        """
        if question not in self.frames:
            assert self.make is not None
            pane = pane or self.main
            # Where it will be seen: what moves is dressed anew.
            frame = self.make(question, pane.room)
            frame.header.hush(hushed=self._is_hushed)
            frame.seen.connect(partial(self._seen, question))
            pane.keep(frame)
            self.frames[question] = frame
        return self.frames[question]

    def forget(self, question: str) -> None:
        """Let the widgets of a page go that is not seen."""
        self.frames.pop(question).deleteLater()

    def hush(self, *, hushed: bool) -> None:
        """Show no tool and no button above any page, as before a class, or show them again."""
        self._is_hushed = hushed
        for frame in self.frames.values():
            frame.header.hush(hushed=hushed)
        for pane in self._places:
            pane.place_bar()

    # ---- what is seen ------------------------------------------------------------------------

    def has(self, question: str) -> bool:
        """Whether there is a page of a question."""
        return question in self.titles or question in self.seconds

    def is_open(self, question: str) -> bool:
        """Whether a page has a place; it is seen there if the window is."""
        return self.place_of(question) is not None

    def is_seen(self, question: str) -> bool:
        """Whether a page is on the screen."""
        return question in self.frames and self.frames[question].isVisible()

    @property
    def opened(self) -> list[str]:
        """The questions of the pages that have a place, in the pages' order."""
        there = {one.question for one in self._places}
        return [question for question in self._known if question in there]

    @property
    def _known(self) -> dict[str, str]:
        return self.titles | self.seconds

    def place_of(self, question: str) -> Pane | None:
        """Where a page is seen; None where it is not."""
        return next((one for one in self._places if one.question == question), None)

    @property
    def _places(self) -> list[Pane]:
        docked = [pane for column in self.columns.panes for pane in column]
        return [one for one in (*docked, *self.floating) if one.question]

    def _seen(self, question: str, visible: bool) -> None:
        self.current.set_seen(question, visible)
        self.visibility_changed.emit(question, visible)

    # ---- opening and closing -----------------------------------------------------------------

    def bring_forward(self, question: str) -> None:
        """Show a page: where it is, or in the main place instead of the one that is there."""
        if not self.has(question):
            return
        pane = self.place_of(question)
        if pane is None:
            pane = self.main
            self._show(question, pane)
        elif pane.isWindow():
            pane.raise_()
        self._turn_to(pane)

    def open_beside(self, question: str) -> None:
        """Show a page right of what is shown now."""
        if not self.has(question):
            return
        if set(self.opened) <= {question}:
            self.bring_forward(question)
            return
        pane = self.own_place(question)
        self._dock(pane)
        self._turn_to(pane)

    def open_second(self, page: str) -> None:
        """Show a question's second page at the right of its first one."""
        if self.place_of(page) is None:
            self._dock(self.own_place(page), self._docked(question_of(page)))

    def _docked(self, question: str) -> Pane | None:
        pane = self.place_of(question)
        return None if pane is None or pane.isWindow() else pane

    def _close(self, question: str) -> None:
        if question in self.seconds:
            self.second_unwanted.emit(question)
        else:
            self.close_page(question)

    def close_page(self, question: str) -> None:
        """Show a page no more."""
        pane = self.place_of(question)
        if pane is None:
            return
        had_keyboard = pane.isAncestorOf(self.window().focusWidget() or self)
        self._leave(pane)
        now = self.place_of(self.current.question)
        if had_keyboard and now is not None:
            now.frame.setFocus()

    def step(self, by: int) -> None:
        """Go on to the page that follows (1) or precedes (-1) the one that was used last."""
        names = list(self.titles)
        now = question_of(self.current.question)
        at = names.index(now) if now else -1
        self.bring_forward(names[(at + by) % len(names)])

    def show_first(self) -> None:
        """Show the first page alone, as at the first start."""
        self.leave_places()
        self.bring_forward(next(iter(self.titles)))

    def leave_places(self) -> None:
        """Show no page."""
        for pane in self._places:
            self._leave(pane)

    def _show(self, question: str, pane: Pane) -> None:
        self._put_into(pane, question)
        self._tidy()

    def _put_into(self, pane: Pane, question: str) -> None:
        tabs = {name: self.titles[name] for name in self.tabs.get(question, ())}
        pane.show_page(question, self._known[question], self.fill(question, pane), tabs)

    def _turn_tab(self, pane: Pane, question: str) -> None:
        """Show another tab of a page in its place, unless that is seen elsewhere."""
        if self.place_of(question) is None:
            before = self.frames[pane.question]
            self._put_into(pane, question)
            if pane is not self.main:
                # A place that is closed takes with it what it holds.
                self.main.keep(before)
        else:
            pane.tabs.stay_at(pane.question)
        self.bring_forward(question)

    def _leave(self, pane: Pane) -> None:
        """Take its page out of a place; one beside the main one goes."""
        frame = self.frames[pane.question]
        pane.show_nothing()
        if pane is not self.main:
            self.main.keep(frame)
            pane.hide()
            pane.setParent(self)
            pane.deleteLater()
            self.floating = [one for one in self.floating if one is not pane]
        self._tidy()

    def _tidy(self) -> None:
        """The main place is seen where it has a page, or nothing else is there."""
        self.main.setVisible(bool(self.main.question) or not self._places)
        self.columns.tidy()

    def _turn_to(self, pane: Pane) -> None:
        self.current.take_focus(pane)
        self.current.activate(pane.question)

    # ---- places beside the main one ----------------------------------------------------------

    def _pane(self, nothing: QWidget) -> Pane:
        pane = Pane(nothing, self)
        bar = pane.bar
        menu = QMenu(bar)
        menu.setObjectName("beside_menu")
        menu.aboutToShow.connect(partial(self._offer_others, menu, pane))
        bar.add_menu("beside", "view-split-vertical", _("Show another page next to this one"), menu)
        bar.float_wanted.connect(lambda: self.turn_floating(pane.question))
        bar.dragged.connect(partial(self._show_target, pane))
        bar.dropped.connect(partial(self._drop, pane))
        pane.turned_to.connect(lambda: self.current.activate(pane.question))
        pane.close_wanted.connect(lambda: self._close(pane.question))
        pane.tabs.chosen.connect(partial(self._turn_tab, pane))
        return pane

    def _offer_others(self, menu: QMenu, pane: Pane) -> None:
        menu.clear()
        self.entries(menu, pane.question)
        for question, title in self.titles.items():
            if question != question_of(pane.question):
                entry = menu.addAction(menu_text(title))
                entry.setData(question)
                entry.triggered.connect(partial(self.open_beside, question))

    def own_place(self, question: str) -> Pane:
        """The place that a page has to itself; made, if it has none, to be put somewhere."""
        pane = self.place_of(question)
        if pane is not None and pane is not self.main:
            return pane
        if pane is self.main:
            pane.show_nothing()
        pane = self._pane(QWidget(self))
        self._put_into(pane, question)
        return pane

    def _dock(self, pane: Pane, target: Pane | None = None, edge: Edge = Edge.RIGHT) -> None:
        self.floating = [one for one in self.floating if one is not pane]
        self.columns.put(pane, target, edge)
        self._tidy()

    def let_float(self, pane: Pane, place: QPoint, size: QSize) -> None:
        """Make a window of a place of its own.

        Args:
            pane: The place.
            place: Its upper left corner on the desktop.
            size: Of the window.
        """
        pane.setParent(self, Qt.WindowType.Tool)
        self.floating.append(pane)
        pane.resize(size.expandedTo(LEAST_FLOATING))
        pane.move(place)
        # Not the first button, as of any window that opens.
        pane.frame.setFocus()
        # Or it would be seen before the window that it belongs to.
        pane.setVisible(self.isVisible())
        self._tidy()

    def showEvent(self, event: QShowEvent) -> None:
        """What floats is seen with the window."""
        super().showEvent(event)
        for pane in self.floating:
            pane.show()

    def hideEvent(self, event: QHideEvent) -> None:
        """And put away with it."""
        super().hideEvent(event)
        for pane in () if event.spontaneous() else self.floating:
            pane.hide()

    def turn_floating(self, question: str) -> None:
        """Let a page float in a window of its own, or bring it back."""
        before = self.place_of(question)
        if before is None:
            return
        if not before.isWindow():
            place = before.mapToGlobal(QPoint(FLOATED, FLOATED))
            size = before.size() * 0.8
            self.let_float(self.own_place(question), place, size)
        elif self.main.question or question in self.seconds:
            self._dock(before)
        else:
            self._leave(before)
            self._show(question, self.main)
        self.bring_forward(question)

    # ---- dragging ----------------------------------------------------------------------------

    def _target_at(self, pane: Pane, at: QPoint) -> tuple[Pane, Edge] | None:
        """At which side of which other place a page would be dropped."""
        for other in self._places:
            place = other.mapFromGlobal(at)
            inside = other.rect().contains(place)
            if other is not pane and not other.isWindow() and inside:
                return other, Edge.nearest(place, other.rect())
        return None

    def _show_target(self, pane: Pane, at: QPoint) -> None:
        target = self._target_at(pane, at)
        self._band.setVisible(target is not None)
        if target is not None:
            other, edge = target
            half = edge.half(other.rect())
            self._band.setGeometry(half.translated(other.mapTo(self, QPoint())))
            self._band.raise_()

    def _drop(self, pane: Pane, at: QPoint) -> None:
        """Beside another page; outside of all of them it floats."""
        self._band.hide()
        target, question = self._target_at(pane, at), pane.question
        if target is not None:
            self.move_page(question, *target)
        elif pane.isWindow():
            pane.move(at)
        elif not self.rect().contains(self.mapFromGlobal(at)):
            size = pane.size() * 0.8
            self.let_float(self.own_place(question), at, size)
        self.bring_forward(question)

    def move_page(self, question: str, target: Pane, edge: Edge) -> None:
        """Show a page at a side of another place."""
        self._dock(self.own_place(question), target, edge)
