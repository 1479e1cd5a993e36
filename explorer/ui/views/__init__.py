"""How results look: one file an operation, registered by being here."""

import importlib
import pkgutil
from functools import cache

from explorer.ui.views.view import View


@cache
def views() -> tuple[type[View], ...]:
    """The views in order, found as the modules of this folder that hold a VIEW."""
    found: list[type[View]] = []
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        view = getattr(module, "VIEW", None)
        if isinstance(view, type) and issubclass(view, View):
            found.append(view)
    return tuple(sorted(found, key=lambda view: (view.order, view.of.title)))


__all__ = ["View", "views"]
