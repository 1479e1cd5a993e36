"""The tree of pages: a click shows one, with Ctrl beside what is shown; other topics are folded."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTreeView, QWidget

from explorer.settings import STARRED
from explorer.text import _
from explorer.ui.guarded import guarded
from explorer.ui.library.availability import Availability
from explorer.ui.notices.wording import menu_text
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.views import Listed
from explorer.ui.views.frame.state_pages import Way
from explorer.ui.window.tree.page_model import HAS_STAR, QUESTION, TOPIC, WHY, PageModel
from explorer.ui.window.tree.page_row import ICON, PageRow

LEAST_WIDE, MOST_WIDE = 204, 260
"""Pixels, at the usual size of text."""
SCROLL_BAR = 12
RECENT = 4
"""Pages that were seen lately and are listed once more, while they are seen no longer."""
STAR = QKeySequence("Ctrl+D")
BESIDE = QKeySequence("Shift+Return")
GOES = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}


@guarded
class PageTree(QTreeView):
    """Topics that fold, the pages under them, and on top those with a star or seen lately.

    The topic of a page that is seen is open, those that the user opened are, and no others.

    Attributes:
        pages: Its rows.
        ways: How to come by a model that can answer a question; the best way first.

    Signals:
        chosen: Show this question's page.
        beside_chosen: Show it beside what is shown.
        remembered: What it shows of itself has changed: topics that are open by the user's
            wish, pages with a star, pages that were seen lately.
    """

    chosen = Signal(str)
    beside_chosen = Signal(str)
    remembered = Signal(tuple, tuple, tuple)

    def __init__(self, pages: Sequence[Listed], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("page_tree")
        self.setAccessibleName(_("Pages"))
        self.ways: Callable[[str], Sequence[Way]] = lambda _question: ()
        self._opened: set[str] = set()
        self._folded: set[str] = set()
        self._shown: list[str] = []
        self._starred: tuple[str, ...] = ()
        self._recent: tuple[str, ...] = ()
        self._listed_recent: tuple[str, ...] = ()
        self._is_arranging = False
        self._pressed = QModelIndex()
        self.pages = PageModel(pages, self)
        self.row = PageRow(self)
        self.setModel(self.pages)
        self.setItemDelegate(self.row)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        # What is marked is what is seen; a row that the keyboard is at has a frame.
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.expanded.connect(partial(self._turned, opened=True))
        self.collapsed.connect(partial(self._turned, opened=False))
        theme_signals().changed.connect(self._fit)
        self._fit()

    @property
    def wide(self) -> int:
        """Pixels with all words in full."""
        return self._wide

    @property
    def starred(self) -> tuple[str, ...]:
        """The pages with a star."""
        return self._starred

    def restore(self, opened: Iterable[str], starred: Iterable[str], recent: Iterable[str]) -> None:
        """Have what was remembered; questions and topics that are gone are left out."""
        known = set(self.pages.names)
        self._opened = set(opened) & set(self.pages.topics)
        self._starred = tuple(one for one in starred if one in known)
        self._recent = tuple(one for one in recent if one in known)[:RECENT]
        self._listed_recent = self._recent
        self._arrange()

    def put_first(self, question: str, title: str, about: str, glyph: str) -> None:
        """List a page above all topics, which belongs to none of them."""
        self.pages.put_first(question, title, about, glyph)
        self._fit()

    def fold_all(self) -> None:
        """Fold what the user opened, as at the first start; stars stay."""
        self._opened, self._folded = {STARRED}, set()
        self._arrange()
        self._remember()

    # ---- what is seen ------------------------------------------------------------------------

    def mark(self, question: str, shown: bool) -> None:
        """Show whether a page can be seen."""
        if question in self._shown:
            self._shown.remove(question)
        if shown:
            self._shown.append(question)
            topic = self.pages.topic_of(question)
            self._folded.discard(topic)
            # Once it was looked into, it folds with its last page.
            self._opened.discard(topic)
            # One that is of no topic is on top already.
            if topic:
                home = self.pages.home(question)
                others = (one for one in self._recent if one != home)
                self._recent = (home, *others)[:RECENT]
            self._remember()
        self.pages.mark_shown(self._shown)
        self._settle()
        index = self.pages.index_of(question)
        if shown and index.isValid():
            self._open_topics(only_open=True)
            if not self.hasFocus():
                self.setCurrentIndex(index)
            self.scrollTo(index)

    def show_answers(self, answers: Mapping[str, Availability]) -> None:
        """Grey out what the loaded models can't answer."""
        self.pages.show_answers(answers)
        self._select()

    def star(self, question: str) -> None:
        """Give a page a star, or take it away."""
        question = self.pages.home(question)
        if question in self._starred:
            self._starred = tuple(one for one in self._starred if one != question)
        elif self.pages.topic_of(question):
            self._starred = (*self._starred, question)
        self._arrange()
        self._remember()

    @property
    def at(self) -> str:
        """The question of the row that the keyboard is at; "" for a topic's."""
        return str(self.currentIndex().data(QUESTION) or "")

    def _settle(self) -> None:
        """Rows move once the mouse is gone: not from under a hand that clicks once more."""
        if self.underMouse() and self.isVisible():
            self._select()
        else:
            self._arrange()

    def _arrange(self) -> None:
        # One that is seen again stays where it is in the list.
        shown = {self.pages.home(one) for one in self._shown}
        recent = [one for one in self._recent if one not in shown]
        kept = tuple(one for one in self._listed_recent if one in recent)
        self._listed_recent = (*(one for one in recent if one not in kept), *kept)
        self.pages.list_at_top(self._starred, self._listed_recent)
        self._open_topics()
        self._select()

    def _open_topics(self, *, only_open: bool = False) -> None:
        held = {self.pages.topic_of(one) for one in self._shown}
        self._is_arranging = True
        for topic in self.pages.topics:
            index = self.pages.index_of_topic(topic)
            is_open = topic in self._opened or (topic in held and topic not in self._folded)
            if index.isValid() and (is_open or not only_open):
                self.setExpanded(index, is_open)
        self._is_arranging = False

    def _select(self) -> None:
        chosen = self.selectionModel()
        chosen.clearSelection()
        for question in self._shown:
            for index in self.pages.indexes_of(question):
                chosen.select(index, chosen.SelectionFlag.Select)

    def _turned(self, index: QModelIndex, *, opened: bool) -> None:
        """The user opened or folded a topic."""
        if self._is_arranging:
            return
        topic = index.data(TOPIC)
        if opened:
            self._opened.add(topic)
            self._folded.discard(topic)
        else:
            self._opened.discard(topic)
            self._folded.add(topic)
        self._remember()

    def _remember(self) -> None:
        opened = tuple(one for one in self.pages.topics if one in self._opened)
        self.remembered.emit(opened, self._starred, self._recent)

    # ---- its width ---------------------------------------------------------------------------

    def _fit(self, _theme: object = None) -> None:
        rows = (self.pages.index_of(name) for name in self.pages.names)
        topics = (self.pages.index_of_topic(topic) for topic in self.pages.topics)
        words = max((self.row.wide(one) for one in (*rows, *topics) if one.isValid()), default=0)
        least, most = zoomed(LEAST_WIDE), zoomed(MOST_WIDE)
        self._wide = max(least, min(most, words + max(SCROLL_BAR, zoomed(ICON))))
        self.setFixedWidth(self._wide)
        self.scheduleDelayedItemsLayout()

    # ---- mouse and keys ----------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click counts where it began."""
        super().mousePressEvent(event)
        self._pressed = self.indexAt(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show a page, load what it lacks, or fold a topic."""
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        index, pressed = self.indexAt(at), self._pressed
        self._pressed = QModelIndex()
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid() or index != pressed:
            return
        if self.link_box(index).contains(at):
            self._load(index)
        else:
            held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self._go(index, beside=bool(held))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand over what is a link."""
        super().mouseMoveEvent(event)
        at = event.position().toPoint()
        is_link = self.link_box(self.indexAt(at)).contains(at)
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand if is_link else arrow)

    def leaveEvent(self, event: QEvent) -> None:
        """What waited for the mouse to go is done."""
        super().leaveEvent(event)
        self._arrange()

    def link_box(self, index: QModelIndex) -> QRect:
        """Where a row's one click is, in the viewport."""
        return self.row.link_box(self.visualRect(index), index) if index.isValid() else QRect()

    def event(self, event: QEvent) -> bool:
        """The star's keys mean the row that the keyboard is at, while it is here."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _is_star(event)
            and self.at
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows a page, with Shift beside what is shown, or folds a topic."""
        if _is_star(event) and self.at:
            self.star(self.at)
        elif Qt.Key(event.key()) in GOES:
            held = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._go(self.currentIndex(), beside=bool(held))
        elif Qt.Key(event.key()) == Qt.Key.Key_Left and self.currentIndex().parent().isValid():
            self.setCurrentIndex(self.currentIndex().parent())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with a page."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.data(QUESTION):
            at = event.pos() if by_mouse else self.visualRect(index).center()
            self._show_menu(index, at)

    def _go(self, index: QModelIndex, *, beside: bool) -> None:
        question = index.data(QUESTION)
        if question:
            (self.beside_chosen if beside else self.chosen).emit(question)
        elif index.isValid():
            self.setExpanded(index, not self.isExpanded(index))

    def _load(self, index: QModelIndex) -> None:
        """Do what brings an answer, and show the page."""
        question = index.data(QUESTION)
        ways = self.ways(question)
        self.chosen.emit(question)
        for _words, does in ways[:1]:
            does()

    def _show_menu(self, index: QModelIndex, place: QPoint) -> None:
        question = index.data(QUESTION)
        menu = QMenu(self)
        menu.setObjectName("tree_menu")
        menu.setToolTipsVisible(True)
        menu.addAction(_("Show"), lambda: self.chosen.emit(question))
        beside = menu.addAction(
            _("Show next to this page"), lambda: self.beside_chosen.emit(question)
        )
        beside.setToolTip(_("Ctrl+click does the same"))
        beside.setShortcut(BESIDE)
        if index.data(WHY):
            for words, does in self.ways(question):
                menu.addAction(menu_text(words), does)
        star = menu.addAction(_("Star"), lambda: self.star(question))
        star.setCheckable(True)
        star.setChecked(bool(index.data(HAS_STAR)))
        star.setShortcut(STAR)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.viewport().mapToGlobal(place))


def _is_star(event: QKeyEvent) -> bool:
    return QKeySequence(event.keyCombination()) == STAR
