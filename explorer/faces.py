"""What others may import: packages that show names of the modules in them, and nothing else.

The names of a face are in the stub beside its `__init__.py`, which types are checked against. Each
is read from its module when it is first used: a window is on the screen before most of them are
needed, and a plugin is imported before torch is.
"""

import ast
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

VERSIONS: Mapping[str, int] = {"family": 2, "question": 2, "hf": 1, "blocks": 2, "api": 2}
"""Of each face, by the last part of its name: raised when what was written for the older one would
no longer run. "api" is for plugins written before there was more than one."""


def face(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """What a package needs to be a face: its `__getattr__` and its `__dir__`.

    Args:
        package: Its full name; it has a stub beside it.
    """
    module = sys.modules[package]

    def read(name: str) -> Any:
        known = {} if name.startswith("__") else homes(package)
        if name not in known:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(known[name]), name)
        setattr(module, name, found)
        return found

    return read, lambda: sorted(homes(package))


FACES: Mapping[str, str] = {
    "explorer.api.family": "family",
    "explorer.api.question": "question",
    "explorer.hf": "hf",
    "explorer.ui.blocks": "blocks",
    "explorer.api": "api",
}
"""The faces, and what each is called in a plugin.toml."""


def not_shown(package: str, name: str) -> str:
    """That a face lacks a name, with the nearest that it has, and the faces that have it."""
    near = get_close_matches(name, homes(package), 3)
    elsewhere = [one for one in FACES if one != "explorer.api" and name in homes(one)]
    found = [f"near are {', '.join(near)}"] if near else []
    found += [f"{one} has one" for one in elsewhere]
    return f"{package} shows no {name}" + (f" ({'; '.join(found)})" if found else "")


@cache
def homes(package: str) -> dict[str, str]:
    """The module of every name of a face, as its stub says; of all names of another one, a star."""
    stub = Path(str(import_module(package).__file__)).with_suffix(".pyi")
    found: dict[str, str] = {}
    for node in ast.parse(stub.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            home = resolve_name(f"{'.' * node.level}{node.module}", package)
            for name in node.names:
                found |= homes(home) if name.name == "*" else {name.name: home}
    return found
