"""The tree of pages as a person sees and clicks it."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest

from explorer.ui.window.tree.page_model import QUESTION

NONE = Qt.KeyboardModifier.NoModifier


def in_sight(window: Any, question: str) -> QModelIndex:
    """A page's row in its topic, which is opened and scrolled to."""
    tree = window.tree
    index = tree.pages.index_of(question)
    assert index.isValid(), question
    if index.parent().isValid():
        tree.setExpanded(index.parent(), True)
    tree.scrollTo(index)
    return index


def click_page(window: Any, question: str, held: Qt.KeyboardModifier = NONE) -> None:
    """Click a page's words."""
    box = window.tree.visualRect(in_sight(window, question))
    click(window, QPoint(box.left() + 40, box.center().y()), held)


def click_topic(window: Any, topic: str) -> None:
    """Click a topic's words."""
    tree = window.tree
    index = tree.pages.index_of_topic(topic)
    tree.scrollTo(index)
    click(window, QPoint(40, tree.visualRect(index).center().y()))


def click(window: Any, place: QPoint, held: Qt.KeyboardModifier = NONE) -> None:
    """Click a place of the tree."""
    QTest.mouseClick(window.tree.viewport(), Qt.MouseButton.LeftButton, held, place)


def is_marked(window: Any, question: str) -> bool:
    """Whether a page is marked as one that is seen."""
    tree = window.tree
    return bool(tree.selectionModel().isSelected(tree.pages.index_of(question)))


def listed_pages(window: Any) -> list[str]:
    """The pages whose rows are not folded away, from above; those on top once more."""
    return [name for row in rows(window) if (name := row.data(QUESTION))]


def rows(window: Any) -> Iterator[QModelIndex]:
    """Every row that is not folded away, from above."""
    tree = window.tree
    index = tree.pages.index(0, 0)
    while index.isValid():
        yield index
        index = tree.indexBelow(index)


def tip(window: Any, question: str) -> str:
    """What is said of a page under the mouse."""
    return str(window.tree.pages.index_of(question).data(Qt.ItemDataRole.ToolTipRole))


def leaving() -> QEvent:
    """The mouse leaves."""
    return QEvent(QEvent.Type.Leave)


def menu_key() -> QContextMenuEvent:
    """The key that opens a menu."""
    return QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
