"""How results look: a view for the page.py of every question."""

import importlib
import importlib.util
from collections.abc import Mapping
from functools import cache

from explorer.api import PluginFault
from explorer.questions import brought, question_folders
from explorer.questions.brought import Brought
from explorer.ui.blocks.page import Page
from explorer.ui.views.page_view import PageView, view_of

_latest: list[tuple[Mapping[str, Brought], tuple[type[PageView], ...]]] = []
"""With which questions of plugins the views were found, and the views; one entry at most."""


def views() -> tuple[type[PageView], ...]:
    """The views by their groups, found as the questions whose page.py holds a PAGE."""
    of_plugins = brought()
    if not _latest or _latest[0][0] is not of_plugins:
        if of_plugins or _latest:
            # Without a plugin's question its watchers are not imported: the start is quicker.
            from explorer.ui.views import page_faults

            page_faults.forget()
        found = _in_order({one.folder: one for one in of_plugins.values()})
        _latest[:] = [(of_plugins, found)]
    return _latest[0][1]


def _in_order(of_plugins: Mapping[str, Brought]) -> tuple[type[PageView], ...]:
    """Of every folder that has a page; a plugin's stand with the others of their topic."""
    kinds = []
    for folder in question_folders():
        one = of_plugins.get(folder)
        kind = _own(folder) if one is None else _of_plugin(one)
        if kind is not None:
            kinds.append((folder.split(".")[-2], kind))
    groups = {topic: kind.group for topic, kind in reversed(kinds) if kind.group}
    first: dict[str, int] = {}
    for topic, kind in kinds:
        kind.group = kind.group or groups.get(topic, topic.replace("_", " ").capitalize())
        first[kind.group] = min(kind.order, first.get(kind.group, kind.order))
    found = (kind for _, kind in kinds)
    return tuple(sorted(found, key=lambda one: (first[one.group], one.order, one.of.title)))


@cache
def _own(folder: str) -> type[PageView] | None:
    """The view of one of the program's questions."""
    if importlib.util.find_spec(f"{folder}.page") is None:
        return None
    return view_of(importlib.import_module(f"{folder}.page").PAGE)


def _of_plugin(one: Brought) -> type[PageView] | None:
    """The view of a plugin's question; None without a page, or where that is broken."""
    from explorer.ui.views import page_faults
    from explorer.ui.views.plugin_page import guarded

    try:
        if importlib.util.find_spec(f"{one.folder}.page") is None:
            return None
        page = getattr(importlib.import_module(f"{one.folder}.page"), "PAGE", None)
        if not isinstance(page, Page):
            raise PluginFault("Its page.py holds no PAGE.")
        return view_of(guarded(page, one))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
        page_faults.note(one, error)
        return None


def page_of_question(name: str) -> Page | None:
    """The page of a question; None where it has none."""
    return next((kind.declared for kind in views() if kind.of.name == name), None)


__all__ = ["PageView", "page_of_question", "views"]
