"""Messages as sources mark them, and whose they are: the program's, or a plugin's."""

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Self

from explorer.text.message_files import MOST_BYTES, FormerTexts, Message, digest

MOST_FILES = 200
"""Of a plugin, in which messages are looked for."""

IN_PLUGINS = "plm_explorer_plugin_folder_"
"""How modules of plugins in the user's folder are called, before the names of their folders."""

_MARKS = {"_": 1, "N_": 1, "ngettext": 2, "NN_": 2}


class Owned(str):
    """A text that a plugin marks: it is said in its own words, whoever else has such a text.

    Attributes:
        owner: The plugin's folder, as modules are called.
    """

    __slots__ = ("owner",)

    owner: str

    def __new__(cls, text: str, owner: str) -> Self:
        """A text of a plugin."""
        made = super().__new__(cls, text)
        made.owner = owner
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Owned, (str(self), self.owner)


def owner_of(text: str) -> str:
    """The plugin whose text it is; "" for the program's."""
    return text.owner if isinstance(text, Owned) else ""


def as_module(folder: str) -> str:
    """The name of a plugin's folder as modules are called."""
    return folder.replace("-", "_")


def marked(tree: ast.AST) -> Iterator[tuple[ast.Call, tuple[str, ...]]]:
    """Where a source says a message: the call that marks it, and its text, of a count both."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            texts = node.args[: _MARKS.get(node.func.id, 0)]
            values = [one.value for one in texts if isinstance(one, ast.Constant)]
            said = tuple(one for one in values if isinstance(one, str))
            if said and len(said) == len(texts):
                yield node, said


def marked_in(folder: Path) -> list[Message]:
    """What the sources of a plugin mark."""
    return list(listed_in(folder)(FormerTexts({})))


def listed_in(folder: Path) -> Callable[[FormerTexts], Iterator[Message]]:
    """Gives what the sources of a plugin mark, by what is written down of former texts."""

    def listed(former: FormerTexts) -> Iterator[Message]:
        for path in sorted(islice(folder.rglob("*.py"), MOST_FILES)):
            for texts in _marked_in(path):
                yield Message(f"{folder.name}/{digest(former.first(texts[0]))}", *texts)

    return listed


def _marked_in(path: Path) -> Iterator[tuple[Any, ...]]:
    # One that is damaged says nothing, as whoever writes it sees on loading.
    with suppress(OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        if path.stat().st_size <= MOST_BYTES:
            yield from (texts for _call, texts in marked(ast.parse(path.read_bytes())))
