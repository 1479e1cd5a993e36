"""plugin.toml: what a plugin says of itself, read without importing it."""

import functools
import importlib.metadata
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec

from explorer.api.family.checkpoint import Published, PublishedFigure
from explorer.faces import VERSIONS
from explorer.files.foreign import read_bytes, toml_of

MANIFEST = "plugin.toml"
LARGEST = 1 << 20
"""Bytes of a plugin.toml: the longest of them has some thousands."""
Name = Annotated[str, msgspec.Meta(min_length=1)]
_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}


@dataclass(frozen=True)
class Miniature:
    """A bundled checkpoint.

    Attributes:
        id: The name of its folder in resources/models, or of a film in resources/films.
        title: What a user reads.
        languages: "English", "English and Korean".
        note: One sentence on what sets it apart.
        figures: What was published about its size.
        teacher: The id of the miniature that taught it; "" where none did.
        world: The languages of the small world that it was trained on: "en", "ko".
    """

    id: Name
    title: Name
    languages: str = ""
    note: str = ""
    figures: tuple[PublishedFigure, ...] = ()
    teacher: str = ""
    world: tuple[str, ...] = ()


@dataclass(frozen=True)
class Manifest:
    """A plugin's manifest.

    Attributes:
        id: Short and unique, "bert".
        title: What a user reads.
        faces: The version of each face of the program it was written for (`explorer.faces`).
        api: Of one written before there was more than one, the version of `explorer.api`.
        version: The plugin's own.
        about: What it is for, in one sentence.
        model_types: config.json's model_type values it takes.
        requires: Packages it needs, as in pyproject.toml ("sentencepiece>=0.2").
        published: Checkpoints on the hub.
        miniatures: Checkpoints bundled with the program.
    """

    id: Name
    title: Name
    faces: dict[str, int] = field(default_factory=dict)
    api: int | None = None
    version: str = ""
    about: str = ""
    model_types: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    published: tuple[Published, ...] = ()
    miniatures: tuple[Miniature, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        """What the checkpoints that it names are called."""
        bundled = tuple(one.title for one in self.miniatures)
        return bundled + tuple(one.title for one in self.published)

    @property
    def does_not_fit(self) -> tuple[str, int, int] | None:
        """A face, the version it was written for and that of now; None where all are of now."""
        stated = self.faces if self.api is None else {**self.faces, "api": self.api}
        found = ((one, wanted, VERSIONS[one]) for one, wanted in stated.items())
        return next((one for one in found if one[1] != one[2]), None)


def read_manifest(path: Path) -> Manifest:
    """Read a plugin.toml.

    Raises:
        OSError: It can't be read.
        ValueError: It is not TOML, or a key is missing or has the wrong type.
    """
    if not path.is_file():
        raise ValueError(f"there is no {path.name}")
    return manifest_of(read_bytes(path, LARGEST).decode("utf-8"))


@functools.lru_cache(maxsize=64)
def manifest_of(text: str) -> Manifest:
    """What a manifest's text says; kept, as the bundled ones are read again and again.

    Raises:
        ValueError: It is not TOML, or a key is missing or has the wrong type.
    """
    try:
        manifest = msgspec.convert(toml_of(text), Manifest)
    except msgspec.ValidationError as error:
        raise ValueError(_in_words(str(error))) from error
    for key in _empty(manifest):
        raise ValueError(f"the key {key} must be a text")
    if not manifest.faces and manifest.api is None:
        raise ValueError("the key faces is missing")
    for face in manifest.faces.keys() - VERSIONS.keys():
        raise ValueError(f"the key faces.{face} is none of {', '.join(VERSIONS)}")
    return manifest


def missing_requirement(requires: tuple[str, ...]) -> str:
    """The first requirement that the installed packages do not meet; "" when all are met."""
    if not requires:
        return ""
    from packaging.requirements import Requirement

    for text in requires:
        requirement = Requirement(text)
        if requirement.marker is not None and not requirement.marker.evaluate():
            continue
        try:
            version = _version_of(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            return text
        if not requirement.specifier.contains(version, prereleases=True):
            return text
    return ""


@functools.cache
def _version_of(package: str) -> str:
    """Of an installed package: of those that plugins need, most need the same few.

    One that a thin bundle is about to install counts as well: no model is loaded before that.
    """
    from explorer.engine.environment import bundle

    came_in = bundle()
    promised = {} if came_in is None else came_in.promised
    return promised.get(package.lower().replace("_", "-")) or importlib.metadata.version(package)


def _in_words(problem: str) -> str:
    """What msgspec finds, as words about a key: "the key published[0].id must be a text"."""
    what, _, place = problem.partition(" - at `$.")
    key = place.removesuffix("`")
    lacks = re.search(r"missing required field `(\w+)`", what)
    if lacks:
        return f"the key {key}{'.' if key else ''}{lacks[1]} is missing"
    wanted = re.match(r"Expected `(\w+)", what)
    if wanted is None or wanted[1] not in _KINDS:
        return f"the key {key} can't be read: {what}"
    table = re.fullmatch(r"(.*)\[\d+\]", key)
    as_table = f", written as [[{table[1]}]]" if table and wanted[1] == "object" else ""
    return f"the key {key} must be {_KINDS[wanted[1]]}{as_table}"


def _empty(manifest: Manifest) -> Iterator[str]:
    """Keys of api's dataclasses that hold an empty text: those can't say so, knowing no msgspec."""
    needed = {"published": ("id", "title", "licence", "languages"), "miniatures": ()}
    for group, names in needed.items():
        for number, one in enumerate(getattr(manifest, group)):
            yield from (f"{group}[{number}].{name}" for name in names if not getattr(one, name))
            for place, figure in enumerate(one.figures):
                for name in ("what", "says", "source"):
                    if not getattr(figure, name):
                        yield f"{group}[{number}].figures[{place}].{name}"
