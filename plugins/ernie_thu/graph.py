"""The entities that a model reads beside words: opened in no time, once they were converted.

The published folder holds three texts: `entity2id.txt` (a count, then id and number),
`entity_map.txt` (name and id) and `entity2vec.vec` (100 numbers a line, five million lines).
Reading them takes minutes, so they are converted once: the vectors to an array that is mapped into
memory, float32 so that answers stay exactly those of the text, and the names to an SQLite file that
finds one of them in microseconds.
"""

import contextlib
import functools
import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.family import CheckpointFault, Context, Entity, MachineFault, UserMistake
from explorer.hf import NamedEntities
from explorer.text import N_

from .conversion import AGAIN, CHUNK, FACTS, INDEX, NAMES, NUMBERS, TABLE, convert
from .place import VECTORS

FILES = (NUMBERS, NAMES, VECTORS)

FORMAT = 1
"""Raised when what is kept changes: older folders are then made again."""

HIGHEST = "\U0010ffff"
"""Comes behind whatever a name goes on with."""


@dataclass(frozen=True)
class Graph:
    """A converted table.

    Attributes:
        folder: Where it is.
        digest: Of ids, names and vectors, 32 hexadecimal digits.
        count: Entities.
        width: Numbers in a vector.
        vectors: A row an entity, mapped from the file.
    """

    folder: Path
    digest: str
    count: int
    width: int
    vectors: NDArray[np.float32]

    def number(self, entity: str) -> int:
        """The row of an entity, by its id or its whole name.

        Raises:
            UserMistake: There is none.
        """
        by_name = "SELECT number FROM names WHERE folded = ? AND name = ? ORDER BY number"
        rows = self._rows("SELECT number FROM ids WHERE id = ?", entity)
        for (number,) in rows or self._rows(by_name, entity.casefold(), entity):
            return int(number)
        raise UserMistake(
            N_("The knowledge graph has no entity {id}."),
            N_("Choose one that it has, or take it away from the text."),
            id=entity[:60] or '""',
        )

    def entity(self, entity: str) -> Entity:
        """An entity, by its id or whole name, with its first name in the file or else its id.

        Raises:
            UserMistake: There is none.
        """
        number = self.number(entity)
        ((found,),) = self._rows("SELECT id FROM ids WHERE number = ?", number)
        for (name,) in self._rows("SELECT name FROM names WHERE number = ? LIMIT 1", number):
            return Entity(found, name)
        return Entity(found, found)

    def called(self, name: str) -> tuple[str, ...]:
        """Ids of the entities with exactly this name; first those that need nothing beside it."""
        query = (
            "SELECT id FROM names JOIN ids USING (number) WHERE called = ?"
            " ORDER BY name != called, number"
        )
        return tuple(dict.fromkeys(found for (found,) in self._rows(query, name)))

    def beginning(self, words: str, most: int) -> tuple[Entity, ...]:
        """Entities whose names begin with these words, whatever letters are capitals."""
        query = (
            "SELECT id, name FROM names JOIN ids USING (number)"
            " WHERE folded BETWEEN ? AND ? ORDER BY folded LIMIT ?"
        )
        folded = words.casefold()
        return tuple(
            Entity(found, name) for found, name in self._rows(query, folded, folded + HIGHEST, most)
        )

    @functools.cached_property
    def named(self) -> NamedEntities:
        """As the matcher of names asks for it."""
        ((longest,),) = self._rows("SELECT words FROM longest")
        return NamedEntities(self.called, longest)

    def rows(self, numbers: Sequence[int]) -> NDArray[np.float32]:
        """Vectors of some entities, copied."""
        return np.array(self.vectors[list(numbers)], dtype=np.float32)

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        # A connection each: opening one takes a tenth of a millisecond, and threads share none.
        address = f"{(self.folder / INDEX).resolve().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
            return database.execute(query, values).fetchall()


def open_graph(source: Path, width: int, context: Context) -> Graph:
    """The entities of a folder; converted where that was not done before.

    Args:
        source: With the three files.
        width: Numbers that the model reads of each entity.
        context: Says where to keep it, and is told how far it is; cancels.

    Raises:
        CheckpointFault: A file is missing, malformed, cut off, or of another width.
        MachineFault: There is no room to keep it.
        Cancelled: It was stopped.
    """
    for name in FILES:
        if not (source / name).is_file():
            raise CheckpointFault(
                N_("{folder} has no {name}, without which entities can't be read."),
                AGAIN,
                folder=source.name,
                name=name,
            )
    with (source / VECTORS).open("rb") as file:
        found = len(file.readline(CHUNK).split())
    if found != width:
        raise CheckpointFault(
            N_("{name} has vectors of {found} numbers, and this model reads {width}."),
            N_("Use the vectors that the model was trained with."),
            name=VECTORS,
            found=found,
            width=width,
        )
    kept = _home(context.cache) / _key(source)
    if not (kept / FACTS).is_file():
        try:
            convert(source, width, kept, context)
        except OSError as error:
            raise MachineFault(
                N_("The entities can't be converted ({strerror})."),
                N_("Make room on the disk where the program keeps its cache."),
                strerror=error.strerror or str(error),
            ) from error
    facts = json.loads((kept / FACTS).read_text("utf-8"))
    vectors = np.load(kept / TABLE, mmap_mode="r")
    return Graph(kept, facts["digest"], facts["count"], facts["width"], vectors)


@functools.cache
def _home(cache: Path | None) -> Path:
    """Where converted tables are kept; until the program ends, where nothing is."""
    if cache is not None:
        return cache / "entities"
    return Path(tempfile.mkdtemp(prefix=f"plm-explorer-entities-{os.getpid()}-"))


def _key(source: Path) -> str:
    """What tells these files from others without reading them."""
    told = [str(FORMAT)]
    for name in FILES:
        status = (source / name).stat()
        told += [str((source / name).resolve()), str(status.st_size), str(status.st_mtime_ns)]
    return hashlib.blake2b("\n".join(told).encode(), digest_size=16).hexdigest()
