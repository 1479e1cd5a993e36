"""Which pages are seen, and where, from one start to the next."""

import re

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication

from explorer.questions.former_names import name_today
from explorer.settings import PageLayout
from explorer.ui.document.second_page import is_second, question_of, second_name
from explorer.ui.window.pages.pane import Pane
from explorer.ui.window.pages.view_area import FLOATED, ViewArea

_DOCK = re.compile(rb"\xfb(\0\0\0.)", re.DOTALL)
"""A dock in the bytes that Qt makes of them: how long its name is; that, in UTF-16, and how it is
come next."""
_VISIBLE, _PAGE = 1, "view_"
_MOST = 4
"""Pages of a former layout that are laid beside each other; more stood behind tabs."""


def layout_of(area: ViewArea) -> PageLayout:
    """What is seen now."""
    panes = area.columns.panes
    return PageLayout(
        area.main.question,
        tuple(tuple("" if p is area.main else p.question for p in one) for one in panes),
        tuple(area.columns.sizes()),
        tuple(map(tuple, area.columns.heights)),
        {one.question: _box(one) for one in area.floating},
    )


def arrange(area: ViewArea, layout: PageLayout | None) -> None:
    """Show what was seen; pages that are no longer there are left out.

    Args:
        area: With all of its pages known.
        layout: None for the first page alone.
    """
    area.leave_places()
    if layout is None:
        area.show_first()
        return
    area.bring_forward(_today(layout.main))
    columns: list[list[Pane]] = []
    for names in layout.columns:
        wanted = [_today(name) if name else "" for name in names]
        places = [area.main if not one else _place(area, one) for one in wanted]
        columns.append([one for one in places if one is not None])
    if not any(area.main in one for one in columns):
        columns.insert(0, [area.main])
    area.columns.lay_out(columns)
    for name, (left, top, wide, high) in layout.floating.items():
        pane = _place(area, _today(name))
        if pane is not None:
            area.let_float(pane, _on_screen(area, QRect(left, top, wide, high)), QSize(wide, high))
    for name in area.seconds:
        area.open_second(name)
    if not area.opened:
        area.show_first()
    size_pages(area, layout)


def size_pages(area: ViewArea, layout: PageLayout | None) -> None:
    """Give the places their sizes, where they are as they were."""
    if layout is not None and list(map(len, area.columns.panes)) == list(map(len, layout.columns)):
        area.columns.set_sizes(layout.widths, layout.heights)


def former_layout(state: bytes) -> PageLayout | None:
    """The pages that were seen beside each other while each was a dock of a window.

    Args:
        state: Of the pages' docks, as Qt saved it.

    Returns:
        None where none was seen.
    """
    seen = []
    for one in _DOCK.finditer(state):
        end = one.end() + int.from_bytes(one[1], "big")
        name = state[one.end() : end].decode("utf-16-be", "replace")
        if name.startswith(_PAGE) and state[end : end + 1] and state[end] & _VISIBLE:
            seen.append(name.removeprefix(_PAGE))
    if not seen:
        return None
    first, *others = seen[:_MOST]
    return PageLayout(first, (("",), *((one,) for one in others)))


def _today(page: str) -> str:
    """A page as it is called today, a second one as well."""
    name = name_today(question_of(page))
    return second_name(name) if is_second(page) else name


def _place(area: ViewArea, question: str) -> Pane | None:
    """A place of its own for a page that is not seen yet."""
    if not area.has(question) or area.is_open(question):
        return None
    return area.own_place(question)


def _box(pane: Pane) -> tuple[int, int, int, int]:
    return pane.x(), pane.y(), pane.width(), pane.height()


def _on_screen(area: ViewArea, box: QRect) -> QPoint:
    """Where a window was, if there is still a screen."""
    if QGuiApplication.screenAt(box.center()) is not None:
        return box.topLeft()
    return area.mapToGlobal(QPoint(FLOATED, FLOATED))
