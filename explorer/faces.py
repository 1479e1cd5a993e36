"""What others may import: packages that show names of the modules in them, and nothing else.

The names of a face are in the stub beside its `__init__.py`, which types are checked against. Each
is read from its module when it is first used: a window is on the screen before most of them are
needed, and a plugin is imported before torch is.
"""

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any


def face(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """What a package needs to be a face: its `__getattr__` and its `__dir__`.

    Args:
        package: Its full name; it is being imported, and has a stub beside it.
    """
    module = sys.modules[package]

    @cache
    def homes() -> dict[str, str]:
        """The module of every name, as the stub says."""
        stub = ast.parse(Path(str(module.__file__)).with_suffix(".pyi").read_text("utf-8"))
        imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
        return {
            name.name: resolve_name(f"{'.' * node.level}{node.module}", package)
            for node in imports
            for name in node.names
        }

    def read(name: str) -> Any:
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(homes()[name]), name)
        setattr(module, name, found)
        return found

    return read, lambda: sorted({*vars(module), *homes()})
