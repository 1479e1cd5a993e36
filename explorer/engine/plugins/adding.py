"""A plugin is laid among the user's own, whole or not at all, and taken away again."""

import os
import shutil
import tempfile
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.engine.plugins.manifest import MANIFEST, Manifest, read_manifest
from explorer.engine.plugins.zipped import LEFT_OUT, bound, no_plugin, opened_zip, unpack
from explorer.files.foreign import clause_of, is_special
from explorer.files.private import make_folder
from explorer.text import N_

WHAT_IT_CAN = N_(
    "A plugin is a program that runs with your rights: it can read, change and delete your files, "
    "send what it reads over the network, and start other programs. PLM Explorer does not check "
    "what it does. Add it only if you trust whoever wrote it."
)
"""Told before one is added, wherever that is."""
ZIP, WHEEL = ".zip", ".whl"


def manifest_in(source: Path) -> Manifest:
    """What a plugin says of itself that is to be added; nothing is written, nothing imported.

    Args:
        source: The folder that its plugin.toml is in, or a zip file of it.

    Raises:
        UserMistake: It is no plugin, or none that can be added.
        OSError: It can't be read.
    """
    if source.is_dir():
        return _manifest_of_folder(source)
    _refuse_other_files(source)
    with opened_zip(source) as (_archive, plugin):
        return plugin.manifest


def add_plugin(source: Path, plugins: Path) -> Path:
    """Copy a plugin's folder, or unpack it; returns where to. Nothing of it is imported.

    Args:
        source: The folder that its plugin.toml is in, or a zip file of it.
        plugins: The user's folder of plugins; made where it is missing.

    Raises:
        UserMistake: It is no plugin, is too large, holds links, or one is there by its name.
        OSError: It can't be read or written.
    """
    if source.is_dir():
        _manifest_of_folder(source)
        place = _free_place(source.name, plugins)
        _bound(source)
        with _scratch(plugins) as scratch:
            copied = Path(scratch) / source.name
            shutil.copytree(source, copied, ignore=shutil.ignore_patterns(*LEFT_OUT))
            copied.rename(place)
        return place
    _refuse_other_files(source)
    with opened_zip(source) as (archive, plugin):
        place = _free_place(plugin.folder, plugins)
        with _scratch(plugins) as scratch:
            unpacked = Path(scratch) / plugin.folder
            unpack(archive, plugin, unpacked)
            unpacked.rename(place)
        return place


def remove_plugin(folder: Path, plugins: Path) -> None:
    """Delete a plugin's folder; of one that is a link, the link alone.

    Args:
        folder: The plugin's.
        plugins: The user's folder of plugins.

    Raises:
        UserMistake: It does not lie there.
        OSError: It can't be deleted.
    """
    if folder.parent != plugins or not folder.is_dir():
        raise UserMistake(N_("{folder} is none of your plugins."), folder=folder.name)
    if folder.is_symlink():
        folder.unlink()
        return
    # First out of sight, so that no half of it is read.
    with tempfile.TemporaryDirectory(prefix=".removing-", dir=plugins) as scratch:
        folder.rename(Path(scratch) / folder.name)


def _manifest_of_folder(source: Path) -> Manifest:
    try:
        return read_manifest(source / MANIFEST)
    except ValueError as error:
        raise no_plugin(source.name, clause_of(error)) from error


def _refuse_other_files(source: Path) -> None:
    if source.suffix.lower() == WHEEL:
        raise UserMistake(
            N_("{file} is a Python package: install it with pip, and its plugin is found."),
            file=source.name,
        )
    if not source.exists() or source.suffix.lower() != ZIP:
        raise UserMistake(
            N_("{file} is no plugin's folder and no zip file of one."),
            file=source.name or source,
        )


def _free_place(folder: str, plugins: Path) -> Path:
    """Where a folder is to lie.

    Raises:
        UserMistake: No plugin is read from there, or one is there.
    """
    if folder[0] in "._" or len(Path(folder).parts) != 1 or not folder.isprintable():
        raise UserMistake(
            N_("{folder} was not added: no plugin is read from a folder of such a name."),
            folder=folder,
        )
    place = plugins / folder
    if place.exists() or place.is_symlink():
        raise UserMistake(
            N_(
                "A plugin in a folder called {folder} is there already. Remove or rename one of "
                "the two."
            ),
            folder=folder,
        )
    return place


def _scratch(plugins: Path) -> tempfile.TemporaryDirectory[str]:
    make_folder(plugins)
    return tempfile.TemporaryDirectory(prefix=".adding-", dir=plugins)


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
        bound(source.name, files, size)
