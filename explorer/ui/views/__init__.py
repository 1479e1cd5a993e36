"""How results look: a view for every question, with its page.py or made of its parts.

Questions are listed without their pages: one is imported when it is first wanted, or once there is
time for it (`import_in_steps`).
"""

import importlib
import importlib.util
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from PySide6.QtCore import QObject

from explorer.api.question import PluginFault, Question, Topic
from explorer.questions import brought, question_folders
from explorer.questions.brought import Brought
from explorer.ui.blocks.page.page import Page
from explorer.ui.in_steps import InSteps
from explorer.ui.views.page_view import PageView
from explorer.ui.views.view_of_page import view_of

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

    of: Question[Any, Any]
    heading: str
    folder: str
    brought: Brought | None

    @cached_property
    def view(self) -> type[PageView]:
        """Its view; the page is imported now, if nobody wanted it before."""
        return _own(self) if self.brought is None else _of_plugin(self, self.brought)

    @property
    def has_file(self) -> bool:
        """Whether a page.py says how its answers look."""
        if self.brought is not None:
            return (self.brought.place / "page.py").is_file()
        return importlib.util.find_spec(f"{self.folder}.page") is not None


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
                if "view" not in vars(one):
                    _ = one.view
                    yield

    return InSteps(steps(), parent, _PAUSE)


def _in_order(of_plugins: Mapping[str, Brought]) -> tuple[Listed, ...]:
    """Every folder that has a page; a plugin's stand with the others of their topic."""
    found = []
    for folder in question_folders():
        one = of_plugins.get(folder)
        page = Listed(_declared(folder, one), "", folder, one)
        if page.of.has_parts or page.has_file:
            found.append((folder.split(".")[-2], page))
    headings: dict[str, Counter[str]] = {}
    for topic, page in found:
        if page.of.listing.heading:
            headings.setdefault(topic, Counter())[page.of.listing.heading] += 1
    of_topic = {topic: counted.most_common(1)[0][0] for topic, counted in headings.items()}
    pages = []
    for topic, page in found:
        heading = page.of.listing.heading or of_topic.get(topic, "")
        pages.append(replace(page, heading=heading or topic.replace("_", " ").capitalize()))

    def place(one: Listed) -> tuple[tuple[int, str], int, str]:
        return Topic.place(one.heading), one.of.listing.order, one.of.title

    return tuple(sorted(pages, key=place))


def _declared(folder: str, one: Brought | None) -> Question[Any, Any]:
    if one is not None:
        return one.question
    question: Question[Any, Any] = importlib.import_module(f"{folder}.question").QUESTION
    return question


_views: dict[str, type[PageView]] = {}
"""The views of the program's questions that somebody wanted, by folder."""


def _own(one: Listed) -> type[PageView]:
    """The view of one of the program's questions."""
    if one.folder not in _views:
        _views[one.folder] = view_of(_page_of(one))
    return _views[one.folder]


def _of_plugin(one: Listed, brought: Brought) -> type[PageView]:
    """The view of a plugin's question; where its page is broken, one that says so."""
    from explorer.ui.views.plugin_page import broken, guarded

    try:
        page = _page_of(one)
        if not isinstance(page, Page):
            raise PluginFault("Its page.py holds no PAGE.")
        return view_of(guarded(page, brought))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
        return view_of(broken(brought, error))


def _page_of(one: Listed) -> Page:
    """What its page.py declares; without that file, a page of its parts."""
    if one.has_file:
        return getattr(importlib.import_module(f"{one.folder}.page"), "PAGE", None)  # type: ignore[return-value]
    from explorer.ui.parts.page import page_of_parts

    return page_of_parts(one.of)


__all__ = [
    "Listed",
    "PageView",
    "import_in_steps",
    "listed",
    "page_of_question",
    "view_for",
    "views",
]
