"""A plugin's folder is laid among the user's own, whole or not at all."""

import os
import shutil
import tempfile
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.engine.plugins.manifest import Manifest, read_manifest
from explorer.files.foreign import clause_of, is_special
from explorer.files.private import make_folder
from explorer.text import N_

MANIFEST = "plugin.toml"
MOST_FILES, MOST_BYTES = 1000, 16 * 2**20
"""Of a plugin: it is code, with small models at most. More is copied by the user."""
LEFT_OUT = ("__pycache__",)


def add_plugin(source: Path, plugins: Path) -> Manifest:
    """Copy a plugin's folder; nothing of it is imported.

    Args:
        source: The folder that its plugin.toml is in.
        plugins: The user's folder of plugins; made where it is missing.

    Raises:
        UserMistake: It is no plugin, is too large, holds links, or one is there by its name.
        OSError: It can't be read or written.
    """
    try:
        manifest = read_manifest(source / MANIFEST)
    except ValueError as error:
        raise UserMistake(
            N_("{folder} is not a plugin: {problem}."), folder=source.name, problem=clause_of(error)
        ) from error
    if source.name[0] in "._":
        raise UserMistake(
            N_("{folder} was not added: no plugin is read from a folder of such a name."),
            folder=source.name,
        )
    place = plugins / source.name
    if place.exists():
        raise UserMistake(
            N_(
                "A plugin in a folder called {folder} is there already. Remove or rename one of "
                "the two."
            ),
            folder=source.name,
        )
    _bound(source)
    make_folder(plugins)
    with tempfile.TemporaryDirectory(prefix=".adding-", dir=plugins) as scratch:
        copied = Path(scratch) / source.name
        shutil.copytree(source, copied, ignore=shutil.ignore_patterns(*LEFT_OUT))
        copied.rename(place)
    return manifest


def _bound(source: Path) -> None:
    files = size = 0
    for folder, folders, names in os.walk(source):
        folders[:] = [one for one in folders if one not in LEFT_OUT]
        for name in (*folders, *names):
            path = Path(folder, name)
            if path.is_symlink() or (name in names and is_special(path)):
                raise UserMistake(
                    N_("{folder} was not added: {name} in it is a link or no ordinary file."),
                    folder=source.name,
                    name=name,
                )
        files += len(names)
        size += sum(Path(folder, name).stat().st_size for name in names)
        if files > MOST_FILES or size > MOST_BYTES:
            raise UserMistake(
                N_(
                    "{folder} was not added: it holds more than {files} files or {megabytes} MB. "
                    "Copy it into the plugin folder yourself if it is a plugin."
                ),
                folder=source.name,
                files=MOST_FILES,
                megabytes=MOST_BYTES // 2**20,
            )
