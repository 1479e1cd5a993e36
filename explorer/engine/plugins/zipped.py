"""A plugin in a zip file of somebody else's: what is in it is looked at before it is unpacked."""

import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from explorer.api.question import UserMistake
from explorer.engine.plugins.manifest import LARGEST, MANIFEST, Manifest, manifest_of
from explorer.files.foreign import clause_of, is_special
from explorer.files.zips import DAMAGED
from explorer.text import N_, Phrase

MOST_FILES, MOST_BYTES = 1000, 16 * 2**20
"""Of a plugin: it is code, with small models at most. More is copied by the user."""
LEFT_OUT = ("__pycache__", "__MACOSX", ".DS_Store")
"""What was compiled elsewhere, and what a desktop puts beside everything."""
_UNIX = 3
"""Who made an entry, where the upper half of its attributes is a file's mode."""


@dataclass(frozen=True)
class PackedPlugin:
    """A plugin in an archive.

    Attributes:
        folder: The name of the folder that it is to lie in.
        manifest: What it says of itself.
        members: Its files, by their places in that folder.
    """

    folder: str
    manifest: Manifest
    members: dict[PurePosixPath, zipfile.ZipInfo]


@contextmanager
def opened_zip(path: Path) -> Iterator[tuple[zipfile.ZipFile, PackedPlugin]]:
    """An archive, once everything that it says of itself is sound.

    Raises:
        UserMistake: It is damaged or locked, is no plugin, is too large, or what it holds would not
            lie in one folder, each file under a name of its own.
        OSError: It can't be read.
    """
    if is_special(path):
        raise _no_zip(path)
    bound(path.name, 0, path.stat().st_size)
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive, _looked_at(archive, path)
    except UserMistake:
        raise
    except DAMAGED as error:
        raise _no_zip(path) from error


def unpack(archive: zipfile.ZipFile, plugin: PackedPlugin, into: Path) -> None:
    """Write its files into a folder that is made for them.

    Raises:
        UserMistake: There is more in it than it says.
        OSError: A file can't be written.
    """
    room = MOST_BYTES
    into.mkdir()
    for place, member in plugin.members.items():
        with archive.open(member) as packed:
            content = packed.read(room + 1)
        room -= len(content)
        bound(Path(str(archive.filename)).name, 0, MOST_BYTES - room)
        target = into.joinpath(*place.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def bound(name: str, files: int, size: int) -> None:
    """Refuse what is more than a plugin is.

    Raises:
        UserMistake: There are too many files, or too many bytes.
    """
    if files > MOST_FILES or size > MOST_BYTES:
        raise UserMistake(
            N_(
                "{folder} was not added: it holds more than {files} files or {megabytes} MB. "
                "Copy it into the plugin folder yourself if it is a plugin."
            ),
            folder=name,
            files=MOST_FILES,
            megabytes=MOST_BYTES // 2**20,
        )


def no_plugin(name: str, problem: object) -> UserMistake:
    """A folder or a zip file holds no plugin."""
    return UserMistake(N_("{folder} is not a plugin: {problem}."), folder=name, problem=problem)


def _no_zip(path: Path) -> UserMistake:
    return UserMistake(
        N_("{file} was not added: it is no zip file, or is damaged or locked."), file=path.name
    )


def _looked_at(archive: zipfile.ZipFile, path: Path) -> PackedPlugin:
    files = [one for one in archive.infolist() if not one.is_dir()]
    bound(path.name, len(files), sum(one.file_size for one in files))
    places = {}
    for one in files:
        place = _place_of(one, path)
        if not any(part in LEFT_OUT for part in place.parts):
            if place in places:
                raise _misplaced(one, path)
            places[place] = one
    _refuse_confusion(places, path)
    root = _root_of(places, path)
    with archive.open(places[root / MANIFEST]) as packed:
        content = packed.read(LARGEST + 1)
    try:
        if len(content) > LARGEST:
            raise ValueError(f"its {MANIFEST} is too large")
        manifest = manifest_of(content.decode("utf-8"))
    except ValueError as error:
        raise no_plugin(path.name, clause_of(error)) from error
    members = {one.relative_to(root): member for one, member in places.items()}
    return PackedPlugin(root.name or manifest.id, manifest, members)


def _place_of(member: zipfile.ZipInfo, path: Path) -> PurePosixPath:
    """Where a member is to lie: a path that stays inside of what it is laid into."""
    # `orig_filename` is what is written there; the other one has lost all behind a NUL.
    name = member.orig_filename
    place = PurePosixPath(name)
    if (
        place.is_absolute()
        or not place.parts
        or any(part == ".." or part.rstrip(". ") != part for part in place.parts)
        or any(one in name for one in '\\:*?"<>|')
        or not name.isprintable()
    ):
        raise _misplaced(member, path)
    mode = member.external_attr >> 16 if member.create_system == _UNIX else 0
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise UserMistake(
            N_("{folder} was not added: {name} in it is a link or no ordinary file."),
            folder=path.name,
            name=name,
        )
    return place


def _refuse_confusion(places: dict[PurePosixPath, zipfile.ZipInfo], path: Path) -> None:
    """Refuse names that a disk may take for one another, and files in files."""
    seen = {str(place).casefold() for place in places}
    if len(seen) < len(places):
        raise UserMistake(
            N_("{file} was not added: two files in it have the same name."), file=path.name
        )
    for place, member in places.items():
        if any(str(parent).casefold() in seen for parent in place.parents):
            raise _misplaced(member, path)


def _misplaced(member: zipfile.ZipInfo, path: Path) -> UserMistake:
    return UserMistake(
        N_("{file} was not added: {name} is no path inside of the plugin's folder."),
        file=path.name,
        name=member.orig_filename,
    )


def _root_of(places: dict[PurePosixPath, zipfile.ZipInfo], path: Path) -> PurePosixPath:
    """The folder in the archive that holds the manifest: the top, or one there."""
    roots = [place.parent for place in places if place.name == MANIFEST and len(place.parts) < 3]
    if not roots:
        raise no_plugin(path.name, Phrase(N_("there is no {name} in it"), name=MANIFEST))
    root = min(roots, key=lambda one: len(one.parts))
    if len(roots) > 1 or not all(place.is_relative_to(root) for place in places):
        raise UserMistake(
            N_("{file} was not added: it holds more than one plugin's folder."), file=path.name
        )
    return root
