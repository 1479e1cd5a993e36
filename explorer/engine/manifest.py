"""plugin.toml: what a plugin says of itself, read without importing it."""

import importlib.metadata
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api import Published, PublishedFigure


@dataclass(frozen=True)
class Miniature:
    """A bundled checkpoint.

    Attributes:
        id: The name of its folder in resources/models.
        title: What a user reads.
        languages: "English", "English and Korean".
        note: One sentence on what sets it apart.
        figures: What was published about its size.
        teacher: The id of the miniature that taught it; "" where none did.
    """

    id: str
    title: str
    languages: str = ""
    note: str = ""
    figures: tuple[PublishedFigure, ...] = ()
    teacher: str = ""


@dataclass(frozen=True)
class Manifest:
    """A plugin's manifest.

    Attributes:
        id: Short and unique, "bert".
        title: What a user reads.
        version: The plugin's own.
        api: The version of explorer.api it was written for.
        model_types: config.json's model_type values it takes.
        requires: Packages it needs, as in pyproject.toml ("sentencepiece>=0.2").
        published: Checkpoints on the hub.
        miniatures: Checkpoints bundled with the program.
    """

    id: str
    title: str
    version: str
    api: int
    model_types: tuple[str, ...]
    requires: tuple[str, ...] = ()
    published: tuple[Published, ...] = ()
    miniatures: tuple[Miniature, ...] = ()


def read_manifest(path: Path) -> Manifest:
    """Read a plugin.toml.

    Raises:
        OSError: It can't be read.
        ValueError: It is not TOML, or a key is missing or has the wrong type.
    """
    if not path.is_file():
        raise ValueError(f"there is no {path.name}")
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    api = content.get("api")
    if not isinstance(api, int):
        raise ValueError("the key api must be a whole number")
    return Manifest(
        id=_text(content, "id"),
        title=_text(content, "title"),
        version=str(content.get("version", "")),
        api=api,
        model_types=_texts(content, "model_types"),
        requires=_texts(content, "requires"),
        published=tuple(_published(table) for table in _tables(content, "published")),
        miniatures=tuple(_miniature(table) for table in _tables(content, "miniatures")),
    )


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
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            return text
        if not requirement.specifier.contains(version, prereleases=True):
            return text
    return ""


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"the key {key} must be a text")
    return value


def _texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"the key {key} must be a list of texts")
    return tuple(value)


def _tables(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ValueError(f"{key} must be written as [[{key}]]")
    return value


def _number(table: Mapping[str, Any], key: str) -> int:
    value = table.get(key)
    if not isinstance(value, int):
        raise ValueError(f"the key {key} must be a whole number")
    return value


def _published(table: Mapping[str, Any]) -> Published:
    return Published(
        id=_text(table, "id"),
        title=_text(table, "title"),
        parameters=_number(table, "parameters"),
        size_bytes=_number(table, "size_bytes") if "size_bytes" in table else None,
        licence=_text(table, "licence"),
        languages=_text(table, "languages"),
        note=str(table.get("note", "")),
        config=dict(table.get("config", {})),
        operations=_texts(table, "operations"),
        heads=_texts(table, "heads"),
        figures=_figures(table),
        released=bool(table.get("released", True)),
        teacher=str(table.get("teacher", "")),
    )


def _figures(table: Mapping[str, Any]) -> tuple[PublishedFigure, ...]:
    found = []
    for one in _tables(table, "figures"):
        value = one.get("value")
        if not isinstance(value, int | float):
            raise ValueError("the value of a figure must be a number")
        found.append(
            PublishedFigure(
                what=_text(one, "what"),
                says=_text(one, "says"),
                value=float(value),
                source=_text(one, "source"),
                reason=str(one.get("reason", "")),
            )
        )
    return tuple(found)


def _miniature(table: Mapping[str, Any]) -> Miniature:
    return Miniature(
        id=_text(table, "id"),
        title=_text(table, "title"),
        languages=str(table.get("languages", "")),
        note=str(table.get("note", "")),
        figures=_figures(table),
        teacher=str(table.get("teacher", "")),
    )
