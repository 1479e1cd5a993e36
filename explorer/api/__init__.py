"""What a plugin may import, with the standard library and numpy only.

The names are in the stub beside this file. Each is read from its module when it is first used:
the window is on the screen before most of them are needed.
"""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@cache
def _homes() -> dict[str, str]:
    """The module of every name, as the stub says."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {name.name: f"{__name__}.{node.module}" for node in imports for name in node.names}


def __getattr__(name: str) -> Any:
    if name.startswith("__") or name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_homes()[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
