"""How results look: a view for the page.py of every question.

The questions with a page are listed without one: a page is imported when it is first wanted, or
once there is time for it (`import_in_steps`).
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from PySide6.QtCore import QObject

from explorer.api import Operation, PluginFault
from explorer.questions import brought, question_folders
from explorer.questions.brought import Brought
from explorer.ui.blocks.page import Page
from explorer.ui.in_steps import InSteps
from explorer.ui.views.page_view import PageView, view_of

_PAUSE = 20
"""Milliseconds between two pages in the background, which are the window's."""

_latest: list[tuple[Mapping[str, Brought], "tuple[Listed, ...]"]] = []
"""With which questions of plugins the pages were found, and the pages; one entry at most."""


@dataclass(frozen=True)
class Listed:
    """A question with a page.

    Attributes:
        of: The question.
        heading: What it is listed under.
        folder: The question's folder as a module.
        brought: What the plugin says that brings it; None for one of the program's own.
    """

    of: Operation[Any, Any]
    heading: str
    folder: str
    brought: Brought | None

    @cached_property
    def view(self) -> type[PageView]:
        """Its view; the page is imported now, if nobody wanted it before."""
        return _own(self.folder) if self.brought is None else _of_plugin(self.brought)


def listed() -> tuple[Listed, ...]:
    """The questions with a page by their headings; no page is imported for it."""
    of_plugins = brought()
    # Most have none, and those of the program are the same then as well.
    if not _latest or (_latest[0][0] is not of_plugins and (_latest[0][0] or of_plugins)):
        if of_plugins or _latest:
            # Without a plugin's question its watchers are not imported: the start is quicker.
            from explorer.ui.views import page_faults

            page_faults.forget()
        _latest[:] = [(of_plugins, _in_order({one.folder: one for one in of_plugins.values()}))]
    return _latest[0][1]


def views() -> tuple[type[PageView], ...]:
    """The views of all questions in their order, each with its page."""
    return tuple(one.view for one in listed())


def view_for(name: str) -> type[PageView] | None:
    """The view of a question; None where it has no page."""
    return next((one.view for one in listed() if one.of.name == name), None)


def page_of_question(name: str) -> Page | None:
    """The page of a question; None where it has none."""
    view = view_for(name)
    return None if view is None else view.declared


def import_in_steps(
    parent: QObject, at_rest: Callable[[], AbstractContextManager[object]] = nullcontext
) -> InSteps:
    """Import the pages that nobody wanted yet, one after the other, while nobody waits.

    Args:
        parent: Ends it with its own end.
        at_rest: What holds meanwhile.
    """

    def steps() -> Iterator[None]:
        with at_rest():
            for one in listed():
                if f"{one.folder}.page" not in sys.modules:
                    _ = one.view
                    yield

    return InSteps(steps(), parent, _PAUSE)


def _in_order(of_plugins: Mapping[str, Brought]) -> tuple[Listed, ...]:
    """Every folder that has a page; a plugin's stand with the others of their topic."""
    found = []
    for folder in question_folders():
        one = of_plugins.get(folder)
        if _has_page(folder, one):
            found.append((folder.split(".")[-2], folder, _declared(folder, one), one))
    of_topic = {
        topic: operation.listing.heading
        for topic, _, operation, _ in reversed(found)
        if operation.listing.heading
    }
    pages = []
    for topic, folder, operation, one in found:
        heading = operation.listing.heading or of_topic.get(topic, "")
        heading = heading or topic.replace("_", " ").capitalize()
        pages.append(Listed(operation, heading, folder, one))
    first: dict[str, int] = {}
    for page in pages:
        order = page.of.listing.order
        first[page.heading] = min(order, first.get(page.heading, order))

    def place(one: Listed) -> tuple[int, str, int, str]:
        listing = one.of.listing
        return first[one.heading], one.heading, listing.order, one.of.title

    return tuple(sorted(pages, key=place))


def _declared(folder: str, one: Brought | None) -> Operation[Any, Any]:
    if one is not None:
        return one.operation
    operation: Operation[Any, Any] = importlib.import_module(f"{folder}.question").OPERATION
    return operation


def _has_page(folder: str, one: Brought | None) -> bool:
    if one is not None:
        return (one.place / "page.py").is_file()
    return importlib.util.find_spec(f"{folder}.page") is not None


@cache
def _own(folder: str) -> type[PageView]:
    """The view of one of the program's questions."""
    return view_of(importlib.import_module(f"{folder}.page").PAGE)


def _of_plugin(one: Brought) -> type[PageView]:
    """The view of a plugin's question; where its page is broken, one that says so."""
    from explorer.ui.views.plugin_page import broken, guarded

    try:
        page = getattr(importlib.import_module(f"{one.folder}.page"), "PAGE", None)
        if not isinstance(page, Page):
            raise PluginFault("Its page.py holds no PAGE.")
        return view_of(guarded(page, one))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
        return view_of(broken(one, error))


__all__ = [
    "Listed",
    "PageView",
    "import_in_steps",
    "listed",
    "page_of_question",
    "view_for",
    "views",
]
