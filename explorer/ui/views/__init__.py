"""How results look: the page.py of every question, and the views that are no pages yet."""

import importlib
import importlib.util
from functools import cache
from typing import Any

from explorer.questions import question_folders
from explorer.ui.blocks.page import Page
from explorer.ui.views.page_view import view_of
from explorer.ui.views.view import View


@cache
def views() -> tuple[type[View], ...]:
    """The views in order, found as the questions whose page.py holds a PAGE or a VIEW."""
    names = [f"{folder}.page" for folder in question_folders()]
    there = [name for name in names if importlib.util.find_spec(name) is not None]
    found = [kind_in(importlib.import_module(name)) for name in there]
    kinds = [kind for kind in found if kind is not None]
    return tuple(sorted(kinds, key=lambda view: (view.order, view.of.title)))


def kind_in(module: Any) -> type[View] | None:
    """The view a module declares: a PAGE in its host, or a VIEW of its own; None without one."""
    page = getattr(module, "PAGE", None)
    if isinstance(page, Page):
        return view_of(page)
    view = getattr(module, "VIEW", None)
    return view if isinstance(view, type) and issubclass(view, View) else None


__all__ = ["View", "kind_in", "views"]
