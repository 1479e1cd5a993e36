"""The methods of attribution that a plugin brings: methods/*.py in its folder."""

import traceback
from collections.abc import Iterator
from pathlib import Path

from explorer.api.family import PluginFault
from explorer.attribution.foreign import ENDING, ForeignMethod, method_in
from explorer.attribution.known import own_methods
from explorer.engine.messages import PluginRecord
from explorer.engine.plugins.border.code import in_words
from explorer.text import N_, Phrase

FOLDER = "methods"


def some_bring_methods(*parents: Path | None) -> bool:
    """Whether any plugin in some folders may; most bring none, and need not be read for that."""
    found = (place for parent in parents if parent is not None for place in parent.glob("*/"))
    return any((place / FOLDER).is_dir() for place in found)


def method_files(plugin: Path) -> Iterator[Path]:
    """The files of a plugin's methods."""
    for path in sorted(plugin.glob(f"{FOLDER}/*{ENDING}")):
        if path.name[0] not in "._":
            yield path


def load_method(path: Path, title: str, others: frozenset[str]) -> ForeignMethod:
    """The method that a file of a plugin declares; its code is run.

    Args:
        path: The file.
        title: The plugin's.
        others: Names of the methods that plugins bring and that are known so far.

    Raises:
        UserMistake: It declares none.
        PluginFault: Its code fails, or its name is taken.
    """
    found = method_in(str(path), title)
    if found.method.name in own_methods() or found.method.name in others:
        raise PluginFault(
            N_("There is a method named {name} already: give it another name."),
            name=found.method.name,
        )
    return found


def broken_method(plugin: PluginRecord, path: Path, error: Exception) -> PluginRecord:
    """The row of a method that does not work."""
    problem = getattr(error, "problem", None)
    return PluginRecord(
        id=f"{plugin.id}/{path.stem}",
        title=f"{plugin.title}: {path.name}",
        source=plugin.source,
        location=str(path),
        version=plugin.version,
        problem=problem or Phrase(N_("It does not work ({error})."), error=in_words(error)),
        traceback="".join(traceback.format_exception(error)),
        part_of=plugin.id,
    )
