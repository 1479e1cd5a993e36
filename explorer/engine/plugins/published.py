"""The plugins of other people that are known to the program: a list that comes with it."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from explorer.files.foreign import read_bytes, toml_of

LARGEST = 1 << 20
"""Bytes of the list."""
Words = Annotated[str, msgspec.Meta(min_length=1)]


@dataclass(frozen=True)
class PublishedPlugin:
    """A plugin that somebody has published.

    Attributes:
        name: Its id.
        about: What it is for, in one sentence.
        where: The address of the page that it is had from.
        version: The one that was looked at.
        licence: Its SPDX name.
        checked: The day on which that version was added and checked.
    """

    name: Words
    about: Words
    where: Annotated[str, msgspec.Meta(pattern="^https://")]
    version: Words
    licence: Words
    checked: dt.date


@dataclass(frozen=True)
class _PublishedList:
    plugins: tuple[PublishedPlugin, ...] = ()


def list_in(resources: Path) -> Path:
    """Where the list lies among the program's files."""
    return resources / "plugins" / "published.toml"


def published_plugins(path: Path) -> tuple[PublishedPlugin, ...]:
    """What the list says, in its order; none where there is no list.

    Raises:
        OSError: It can't be read.
        ValueError: It is no list of plugins.
    """
    if not path.is_file():
        return ()
    written = toml_of(read_bytes(path, LARGEST).decode("utf-8"))
    return msgspec.convert(written, _PublishedList).plugins
