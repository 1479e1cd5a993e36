"""The option that is a method: one of the program's, one of a plugin's, or one in a file."""

from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from explorer.api.question import Choice, Entry
from explorer.attribution.bringing import brought
from explorer.attribution.foreign import is_file
from explorer.attribution.known import own_methods
from explorer.text import N_, Phrase, _


def own_entries() -> tuple[Entry, ...]:
    """The program's own methods, as a choice has them."""
    return tuple(
        Entry(name, one.about.title, one.about.does) for name, one in own_methods().items()
    )


@dataclass(frozen=True)
class MethodChoice(Choice):
    """A method by its name, or by the path of its file.

    Whatever is well-formed is accepted: whether a plugin brings it, or the file is there, is found
    out by whoever runs it.
    """

    is_open: bool = True

    def accepts(self, value: Any) -> bool:
        """Whether it is a name, or a path of a file with a method."""
        return isinstance(value, str) and (value.isidentifier() or is_file(value))

    def said(self, value: Any) -> str:
        """Its title, or the file's name: where it lies is nobody's business."""
        if value in brought():
            return _(brought()[value].method.about.title)
        return PurePath(value).name if is_file(value) else super().said(value)

    def values(self) -> str:
        """All of them."""
        return Phrase(
            N_("one of {choices}, or a file that ends in .py"), choices=", ".join(self.typed)
        )

    def _read(self, words: str) -> Any:
        if is_file(words):
            return str(Path(words).expanduser().absolute())
        known = super()._read(words)
        name = words.replace("-", "_")
        return name if known is None and name in brought() else known


def entries_with(entries: tuple[Entry, ...], held: str) -> tuple[Entry, ...]:
    """What a page offers: the program's methods, those of plugins, and the file that is chosen."""
    known = {one.value for one in entries}
    others = tuple(
        Entry(name, one.method.about.title, one.method.about.does)
        for name, one in brought().items()
        if name not in known
    )
    if is_file(held):
        others = (*others, Entry(held, PurePath(held).name, N_("A method from a file")))
    return (*entries, *others)
