"""What there is: models and plugins, as frames or rows."""

from collections.abc import Sequence
from typing import Any

from explorer.api.family.checkpoint import Checkpoint
from explorer.engine.messages import PluginRecord
from explorer.scripting.mistakes import advised
from explorer.scripting.notebook.frames import frame_of
from explorer.scripting.process import current
from explorer.text import _


class FoundRows(tuple[Any, ...]):
    """What was found, one a row; `frame()` has their fields as columns."""

    __slots__ = ()

    def frame(self, library: Any = None) -> Any:
        """All of it as a frame of pandas or polars."""
        from explorer.serialise import to_builtins

        rows = [to_builtins(one) for one in self]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        cells = ([_cell(row.get(name)) for name in columns] for row in rows)
        return frame_of(columns, cells, library)

    def __repr__(self) -> str:
        return "\n".join(f"{one.id}  {_(one.title)}" for one in self)


def _cell(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple | dict) else value


def models(*folders: str) -> Sequence[Checkpoint]:
    """Every checkpoint that is known: bundled, downloaded, published, and those in some folders.

    Args:
        folders: Of checkpoints, to be listed as well.
    """
    process = current()
    with advised():
        program = process.program
        return FoundRows(program.catalogue(program.plugin_host()).list(folders))


def plugins() -> Sequence[PluginRecord]:
    """Every plugin, with what is wrong with those that do not work."""
    process = current()
    with advised():
        return FoundRows(process.program.described_plugins())
