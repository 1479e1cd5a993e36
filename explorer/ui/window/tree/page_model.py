"""The tree's rows: topics and the pages under them, those that can't be asked last."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from explorer.settings import STARRED
from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.library.availability import Availability
from explorer.ui.theme.icons import icon
from explorer.ui.views import Listed

Index = QModelIndex | QPersistentModelIndex

_USER = int(Qt.ItemDataRole.UserRole)
QUESTION, TOPIC, LINK, HAS_STAR, WHY = range(_USER + 1, _USER + 6)
"""Whose page a row is, "" for a topic's; which topic's; the words of its one click; whether it has
a star; why it can't be asked."""
_PLACE, _ABOUT, _KEYS, _IS_SHOWN = range(_USER + 6, _USER + 10)
_SAID = (
    *range(_USER + 1, _USER + 10),
    int(Qt.ItemDataRole.ToolTipRole),
    int(Qt.ItemDataRole.AccessibleTextRole),
    int(Qt.ItemDataRole.AccessibleDescriptionRole),
)
"""All that a row says besides its title and its icon."""

LAST = 10_000
"""Added to the place of a page that can't be asked."""
FIRST, AT_TOP = -2, -1
"""Places of what stands above the topics."""


@guarded
class PageModel(QSortFilterProxyModel):
    """Topics with their pages, sorted, as a tree shows them.

    Attributes:
        topics: The topics in their order, the one of starred and recent pages first.
    """

    def __init__(self, pages: Sequence[Listed], parent: QObject) -> None:
        super().__init__(parent)
        self._rows = QStandardItemModel(self)
        self._topics: dict[str, QStandardItem] = {}
        self._of: dict[str, list[QStandardItem]] = {}
        self._tabs: dict[str, dict[str, str]] = {}
        """What is said of the tabs of a page, by its question and theirs."""
        self._homes: dict[str, str] = {}
        self._seen: set[str] = set()
        self._rows.appendRow(self._topic(STARRED, AT_TOP))
        for number, one in enumerate(pages):
            if one.heading not in self._topics:
                self._rows.appendRow(self._topic(one.heading, number))
            question = one.of
            home = question.listing.tab_of
            if home in self._of:
                self._homes[question.name] = home
                said = f"{_(question.title)}: {_(question.asks)}"
                self._tabs.setdefault(home, {})[question.name] = said
                self._change(home, {})
                continue
            item = self._page(
                question.name,
                (_(question.title), _(question.asks), question.listing.icon),
                number,
            )
            self._topics[one.heading].appendRow(item)
        self.setSourceModel(self._rows)
        self.setSortRole(_PLACE)
        self.setDynamicSortFilter(True)
        self.sort(0)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics in their order."""
        return tuple(self._topics)

    @property
    def names(self) -> tuple[str, ...]:
        """The questions of all pages, in their order; those of tabs are left out."""
        return tuple(self._of)

    def home(self, question: str) -> str:
        """The question whose page another one is a tab of; itself where it is of none."""
        return self._homes.get(question, question)

    def put_first(self, question: str, title: str, about: str, glyph: str) -> None:
        """List a page above all topics, which belongs to none of them."""
        self._rows.appendRow(self._page(question, (title, about, glyph), FIRST))

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        """A topic without pages is not shown."""
        if source_parent.isValid():
            return True
        item = self._rows.item(source_row)
        return item is None or not item.data(TOPIC) or item.hasChildren()

    # ---- where a row is ----------------------------------------------------------------------

    def index_of_topic(self, topic: str) -> QModelIndex:
        """A topic's row; an invalid index where it has none."""
        return self._shown_at(self._topics.get(topic))

    def index_of(self, question: str) -> QModelIndex:
        """A page's row in its topic."""
        return self._shown_at(next(iter(self._of.get(self.home(question), ())), None))

    def indexes_of(self, question: str) -> Iterator[QModelIndex]:
        """All of a page's rows."""
        for item in self._of.get(self.home(question), ()):
            index = self._shown_at(item)
            if index.isValid():
                yield index

    def topic_of(self, question: str) -> str:
        """What a page is listed under; "" for one that stands above the topics."""
        parent = self.index_of(question).parent()
        return str(parent.data(TOPIC)) if parent.isValid() else ""

    def _shown_at(self, item: QStandardItem | None) -> QModelIndex:
        return QModelIndex() if item is None else self.mapFromSource(item.index())

    # ---- what a row says ---------------------------------------------------------------------

    def tell_keys(self, question: str, keys: str) -> None:
        """Say by which keys a page is shown."""
        home = self.home(question)
        if home == question:
            self._change(question, {_KEYS: keys})
        else:
            self._tabs[home][question] += f" ({keys})"
            self._change(home, {})

    def mark_shown(self, shown: Iterable[str]) -> None:
        """Say which pages can be seen."""
        seen = {self.home(one) for one in shown}
        for question in seen ^ self._seen:
            self._change(question, {_IS_SHOWN: question in seen})
        self._seen = seen

    def show_answers(self, answers: Mapping[str, Availability]) -> None:
        """Grey out what the loaded models can't answer, after the rest of its topic."""
        for question in self._of:
            tabs = [
                answers[name]
                for name in (question, *self._tabs.get(question, ()))
                if name in answers
            ]
            if not tabs:
                continue
            # A page is as good as the best of its tabs.
            one = next((tab for tab in tabs if not tab.why), tabs[0])
            load = _("ask {slot}", slot=one.elsewhere) if one.elsewhere else _("load…")
            self._change(question, {WHY: one.why, LINK: load if one.why else ""})
        for topic in self._topics.values():
            for row in range(topic.rowCount()):
                item = topic.child(row)
                place = item.data(_PLACE) % LAST
                is_last = bool(item.data(WHY)) and topic.data(TOPIC) != STARRED
                _set(item, _PLACE, place + LAST * is_last)

    def list_at_top(self, starred: Sequence[str], recent: Sequence[str]) -> None:
        """List pages once more above the topics: those with a star, and those seen lately."""
        top = self._topics[STARRED]
        was_there = top.hasChildren()
        wanted = [name for name in dict.fromkeys((*starred, *recent)) if name in self._of]
        for name in self._of:
            self._change(name, {HAS_STAR: name in starred})
        for row in reversed(range(top.rowCount())):
            item = top.child(row)
            if item.data(QUESTION) not in wanted:
                self._of[item.data(QUESTION)].remove(item)
                # Python's again, and gone with the last reference to it.
                top.takeRow(row)
        there = {top.child(row).data(QUESTION): top.child(row) for row in range(top.rowCount())}
        for place, name in enumerate(wanted):
            if name not in there:
                home = self._of[name][0]
                there[name] = _copy_of(home)
                self._of[name].append(there[name])
                top.appendRow(there[name])
            _set(there[name], _PLACE, place)
        if bool(wanted) != was_there:
            self.invalidate()

    def _topic(self, topic: str, place: int) -> QStandardItem:
        item = QStandardItem(_(topic))
        item.setData(topic, TOPIC)
        item.setData("", QUESTION)
        item.setData(place, _PLACE)
        item.setEditable(False)
        self._topics[topic] = item
        return item

    def _page(self, question: str, words: tuple[str, str, str], place: int) -> QStandardItem:
        title, about, glyph = words
        item = QStandardItem(icon(glyph, "text"), title)
        item.setData(question, QUESTION)
        item.setData(place, _PLACE)
        item.setData(about, _ABOUT)
        item.setEditable(False)
        self._of[question] = [item]
        self._word(item)
        return item

    def _change(self, question: str, data: Mapping[int, Any]) -> None:
        """Have a page's rows say something else; without data, what is said of its tabs."""
        for item in self._of.get(question, ()):
            changed = [_set(item, role, value) for role, value in data.items()]
            if not data or any(changed):
                self._word(item)

    def _word(self, item: QStandardItem) -> None:
        """What a tip and a screen reader say of a page."""
        about, keys, why = (item.data(role) or "" for role in (_ABOUT, _KEYS, WHY))
        question = f"{about} ({keys})" if keys else about
        tabs = self._tabs.get(item.data(QUESTION), {}).values()
        tip = "\n\n".join(filter(None, ("\n".join((question, *tabs)), why)))
        _set(item, int(Qt.ItemDataRole.ToolTipRole), plain_tip(tip))
        _set(item, int(Qt.ItemDataRole.AccessibleDescriptionRole), tip)
        marks = (
            _("shown") if item.data(_IS_SHOWN) else "",
            _("with a star") if item.data(HAS_STAR) else "",
            _("can't be asked of these models") if why else "",
        )
        words = ", ".join((item.text(), *filter(None, marks)))
        _set(item, int(Qt.ItemDataRole.AccessibleTextRole), words)


def _copy_of(item: QStandardItem) -> QStandardItem:
    """Another row that says the same.

    `clone` makes one that nobody tells Python of when it is deleted: what is made at its address
    later is then taken for it.
    """
    made = QStandardItem(item.icon(), item.text())
    for role in _SAID:
        made.setData(item.data(role), role)
    made.setEditable(False)
    return made


def _set(item: QStandardItem, role: int, value: object) -> bool:
    """Change what an item says, where it says something else; whether it did."""
    if item.data(role) == value:
        return False
    item.setData(value, role)
    return True
