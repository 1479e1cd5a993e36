"""How results look: one file an operation, registered by being here."""

import importlib
import pkgutil
from functools import cache
from typing import Any

from explorer.ui.blocks.page import Page
from explorer.ui.views.page_view import view_of
from explorer.ui.views.view import View


@cache
def views() -> tuple[type[View], ...]:
    """The views in order, found as the modules of this folder that hold a PAGE or a VIEW."""
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    found = [kind_in(importlib.import_module(f"{__name__}.{name}")) for name in names]
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
