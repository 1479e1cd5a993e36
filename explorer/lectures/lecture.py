"""A lecture: scenes in chapters, kept in a folder or a zip file, or one scene in its file."""

import contextlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from explorer.api.question import UserMistake
from explorer.files.foreign import is_special
from explorer.files.typed_paths import typed_path, unreadable, unwritable
from explorer.files.zips import DAMAGED
from explorer.lectures import toml_reading as reading
from explorer.lectures.scene import Scene
from explorer.lectures.scene_file import ENDING, KIND, read_scene, scene_text
from explorer.lectures.toml_writing import line, table_head
from explorer.lectures.words import in_language, is_language
from explorer.paths import own_resources
from explorer.text import N_

CHAPTERS = f"chapters{ENDING}"
"""The file with the chapters' order and titles; a lecture may do without."""
LESSONS = "lessons"
"""The folder of the bundled lessons, and what commands call them."""
MOST_FILES = 500
LARGEST_ZIP = 20 << 20
"""Bytes of a zip file, and of all that is in it."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Of what is written into a zip file: the same lecture is the same file."""


@dataclass(frozen=True)
class Chapter:
    """Scenes that belong together.

    Attributes:
        key: What scenes call it.
        scenes: In order.
        titles: What it is called, by language.
    """

    key: str
    scenes: tuple[Scene, ...]
    titles: Mapping[str, str] = field(default_factory=dict)

    def title(self, language: str = "") -> str:
        """What it is called.

        Args:
            language: A code; "" for the language in use. English where it has no title in it.
        """
        return in_language(self.titles, language, self.key)


@dataclass(frozen=True)
class Lecture:
    """Scenes in their order.

    Attributes:
        name: Its folder's or file's, without the ending.
        chapters: Those that have scenes.
    """

    name: str
    chapters: tuple[Chapter, ...]

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """All of them, chapter by chapter."""
        return tuple(scene for chapter in self.chapters for scene in chapter.scenes)

    def scene(self, name: str) -> Scene:
        """One of them.

        Raises:
            UserMistake: It has no scene of that name.
        """
        for scene in self.scenes:
            if scene.name == name:
                return scene
        raise UserMistake(
            N_("There is no scene {name} in {lecture}."),
            N_("`scenes` lists those there are."),
            name=name,
            lecture=self.name,
        )


@cache
def bundled() -> Lecture:
    """The lecture that comes with the program."""
    return read(own_resources() / "scenes")


@cache
def lessons() -> Lecture:
    """The lessons that come with the program, for whoever learns alone."""
    return read(own_resources() / LESSONS)


def opened(name: str) -> Lecture:
    """A lecture by what it is opened as.

    Args:
        name: "" for the bundled lecture, "lessons" for the bundled lessons, or a path.

    Raises:
        UserMistake: As `read` does.
    """
    if name in ("", LESSONS):
        return lessons() if name else bundled()
    return read(name)


def read(path: str | Path) -> Lecture:
    """A lecture of a folder, of a zip file, or of one scene's file.

    Raises:
        UserMistake: There is none, it can't be read, or one sentence on what is wrong in it.
    """
    place = typed_path(path)
    whole = place.absolute()
    try:
        if place.is_dir():
            files = _in_folder(place)
        elif place.suffix == ENDING:
            files = {place.name: _bytes_of(place, reading.LARGEST)}
        else:
            files = _in_zip(_bytes_of(place, LARGEST_ZIP), place.name)
    except OSError as error:
        raise unreadable(place, error) from error
    return _lecture_of(whole.name if whole.is_dir() else _title(whole), files)


def _title(file: Path) -> str:
    """A file's name, without what desktops open it by."""
    return file.stem.removesuffix(KIND).removesuffix(".lecture")


def write(lecture: Lecture, path: str | Path) -> None:
    """Write a lecture into a zip file that `read` reads as the same lecture.

    Raises:
        UserMistake: Something in a scene can't be written.
        MachineFault: The file can't be written.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _texts_of(lecture):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    _write_whole(typed_path(path), stream.getvalue())


def write_scene(scene: Scene, path: str | Path) -> None:
    """Write a scene into a file of its own.

    Raises:
        UserMistake: Something in it can't be written.
        MachineFault: The file can't be written.
    """
    _write_whole(typed_path(path), _encoded(scene))


def _texts_of(lecture: Lecture) -> Iterator[tuple[str, bytes]]:
    named = [chapter for chapter in lecture.chapters if chapter.titles]
    if named:
        blocks = ["\n".join([table_head(chapter.key), *_titles_of(chapter)]) for chapter in named]
        yield CHAPTERS, ("\n\n".join(blocks) + "\n").encode("utf-8")
    for scene in lecture.scenes:
        yield f"{scene.name}{ENDING}", _encoded(scene)


def _titles_of(chapter: Chapter) -> Iterator[str]:
    for code, title in chapter.titles.items():
        yield line(code, title)


def _encoded(scene: Scene) -> bytes:
    try:
        return scene_text(scene).encode("utf-8")
    except ValueError as error:
        raise UserMistake(
            N_("The scene {name} can't be written ({problem})."),
            N_("Leave that out of it."),
            name=scene.name,
            problem=error,
        ) from error


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file, or leave what there was: one that is cut off is no lecture."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise unwritable(path, error) from error


def _bytes_of(path: Path, most: int) -> bytes:
    """A file's bytes, and no more than one above what may be: what is longer is refused later."""
    if is_special(path):
        raise UserMistake(
            N_("{name} is a pipe, a device or a file of the system's own, and is not read."),
            N_("Choose another file."),
            name=path.name,
        )
    with path.open("rb") as file:
        return file.read(most + 1)


def _in_folder(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.glob(f"*{ENDING}") if path.is_file())
    _refuse_many(len(paths), folder.name)
    return {path.name: _bytes_of(path, reading.LARGEST) for path in paths}


def _in_zip(content: bytes, file: str) -> dict[str, bytes]:
    """The scenes of a zip file, which may lie in one folder in it; nothing is unpacked to disk."""
    if len(content) > LARGEST_ZIP:
        raise UserMistake(
            N_("{file} is larger than any lecture."), N_("Choose another."), file=file
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _unpacked(archive, file)
    except DAMAGED as error:
        raise _no_lecture(file) from error


def _no_lecture(file: str) -> UserMistake:
    return UserMistake(
        N_("{file} is no scene, no folder of scenes and no zip file of them, or is damaged."),
        N_("Choose a file that ends in .toml, a folder, or a zip file."),
        file=file,
    )


def _unpacked(archive: zipfile.ZipFile, file: str) -> dict[str, bytes]:
    members = [one for one in archive.infolist() if one.filename.endswith(ENDING)]
    _refuse_many(len(members), file)
    places = [PurePosixPath(one.filename) for one in members]
    names = [place.name for place in places]
    if (
        any(".." in place.parts or place.is_absolute() for place in places)
        or len({place.parent for place in places}) > 1
        or len(set(names)) < len(names)
    ):
        raise UserMistake(
            N_("The scenes in {file} do not lie in one folder, each under its own name."),
            N_("Zip one folder of scenes."),
            file=file,
        )
    found = {}
    room = LARGEST_ZIP
    for name, member in zip(names, members, strict=True):
        # What the archive says of sizes may be wrong: no more is unpacked than may be.
        with archive.open(member) as packed:
            found[name] = packed.read(min(reading.LARGEST, room) + 1)
        room -= len(found[name])
        if room < 0:
            raise UserMistake(
                N_("{file} is larger than any lecture."), N_("Choose another."), file=file
            )
    return found


def _refuse_many(count: int, name: str) -> None:
    if count > MOST_FILES:
        raise UserMistake(
            N_("There are {count} scenes in {name}, and a lecture has at most {most}."),
            N_("Choose another folder."),
            count=count,
            name=name,
            most=MOST_FILES,
        )


def _lecture_of(name: str, files: Mapping[str, bytes]) -> Lecture:
    titles = _chapter_titles(files)
    scenes = [read_scene(content, file) for file, content in files.items() if file != CHAPTERS]
    if not scenes:
        raise UserMistake(
            N_("There is no scene in {name}."),
            N_("Scenes are files that end in .toml."),
            name=name,
        )
    for scene in scenes:
        if titles and scene.chapter not in titles:
            raise UserMistake(
                N_("{file}: the chapter {chapter} is not in {chapters}."),
                N_("Write one of {keys}."),
                file=f"{scene.name}{ENDING}",
                chapter=scene.chapter or '""',
                chapters=CHAPTERS,
                keys=", ".join(titles),
            )
    scenes.sort(key=lambda scene: (scene.order, scene.name))
    keys = list(titles) or list(dict.fromkeys(scene.chapter for scene in scenes))
    chapters = (
        Chapter(key, tuple(one for one in scenes if one.chapter == key), titles.get(key, {}))
        for key in keys
    )
    return Lecture(name, tuple(chapter for chapter in chapters if chapter.scenes))


def _chapter_titles(files: Mapping[str, bytes]) -> dict[str, dict[str, str]]:
    """The titles of every chapter by language, in order; none without a file that says them."""
    if CHAPTERS not in files:
        return {}
    whole: dict[str, Any] = reading.table_of(files[CHAPTERS], CHAPTERS)
    for key, titles in whole.items():
        if not isinstance(titles, dict):
            raise reading.not_a("object", key, CHAPTERS)
        for code, title in titles.items():
            if not is_language(code):
                raise reading.unknown(f"{key}.{code}", CHAPTERS)
            if not isinstance(title, str) or not title:
                raise reading.not_a("str", f"{key}.{code}", CHAPTERS)
        if not titles:
            raise reading.missing(f"{key}.en", CHAPTERS)
    return whole
