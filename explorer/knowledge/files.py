"""Knowledge graphs from files: ConceptNet 5's assertions, or a table of triples.

An assertion has five cells with tabs between them (its own name, relation, head, tail, and JSON
with a weight); a triple has three or four (head, relation, tail, weight). Either may be packed with
gzip. A file is read in pieces, so that it can be cancelled and its size costs little memory.
"""

from __future__ import annotations

import codecs
import gzip
import math
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from explorer.api.question import Context, UserMistake
from explorer.files.foreign import is_special
from explorer.files.typed_paths import refuse_impossible, unreadable
from explorer.knowledge.graph import KnowledgeGraph
from explorer.knowledge.relations import LESS, RELATIONS, SYMMETRIC, merged, plain
from explorer.knowledge.words import is_left_out
from explorer.text import N_

LANGUAGE: Final = "/c/en/"
"""Concepts of ConceptNet that are read: the authors' graph is the English one."""

BLOCK: Final = 1 << 20
LONGEST_LINE: Final = 100_000
_WEIGHT: Final = re.compile(r'"weight":\s*([0-9.eE+-]+)')
_COLUMNS: Final = N_("A line has head, relation, tail and weight, with tabs between them.")
_FIVE: Final = N_("An assertion of ConceptNet has five.")
_UTF8: Final = N_("Save it as UTF-8 and open it again.")
_AGAIN: Final = N_("Copy or download it again.")
_NEW: Final = (-1, False, 0.0)
"""Stands for a relation that was not met yet."""


def read_graph(path: Path, context: Context) -> KnowledgeGraph:
    """The graph of a file.

    Args:
        path: The file's.
        context: Is told how much of it is read, and can stop it.

    Raises:
        UserMistake: It can't be read, is cut off, is no such file, or holds no edge.
        Cancelled: The reading was cancelled.
    """
    refuse_impossible(path)
    reader = _LineReader(path)
    try:
        # A pipe could be read only once, and may never come to an end; to open it waits already.
        if is_special(path):
            raise UserMistake(
                N_("{name} is not a file."), N_("Choose another file."), name=path.name
            )
        with path.open("rb") as file:
            reader.read(file, context)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UserMistake(
            N_("{name} is cut off or damaged: it can't be unpacked to its end."),
            _AGAIN,
            name=path.name,
        ) from error
    except UnicodeError as error:
        raise UserMistake(
            N_("{name} is not in UTF-8 (near line {number})."),
            _UTF8,
            name=path.name,
            number=reader.line + 1,
        ) from error
    except OSError as error:
        raise unreadable(path, error) from error
    return reader.graph()


class _LineReader:
    """Takes the lines of a file, a block after the other.

    There may be millions, so what a cell stands for is kept by how it is written.

    Attributes:
        line: Lines that were taken.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.line = 0
        self._concepts: dict[str, int] = {}
        self._kinds = {one: number for number, one in enumerate(RELATIONS)}
        self._numbers: dict[str, int] = {}
        self._merged: dict[str, tuple[int, bool, float] | None] = {}
        self._ends: list[tuple[int, int, int]] = []
        self._weights: list[float] = []
        self._dropped = 0

    def graph(self) -> KnowledgeGraph:
        """What was read.

        Raises:
            UserMistake: There was no edge.
        """
        if not self._weights:
            raise UserMistake(
                N_("{name} holds no edge of a knowledge graph."), _COLUMNS, name=self._path.name
            )
        return KnowledgeGraph.of_arrays(
            self._path.name,
            tuple(self._concepts),
            tuple(self._kinds),
            np.array(self._ends, dtype=np.int64),
            np.array(self._weights, dtype=np.float64),
            self._dropped,
        )

    def read(self, file: IO[bytes], context: Context) -> None:
        """Take every line."""
        whole = self._path.stat().st_size
        take: Callable[[list[str]], None] | None = None
        for lines in _blocks(file, self._path.name):
            context.progress(N_("reading the graph"), float(file.tell()), float(whole))
            context.check()
            if take is None:
                first = next((line for line in lines if line.strip()), "")
                take = self._take_assertions if _is_assertion(first) else self._take_triples
                if take == self._take_triples and _names_columns(first):
                    at = lines.index(first)
                    lines[at] = ""
            take(lines)

    def _take_assertions(self, lines: list[str]) -> None:
        merged_as, number_of = self._merged.get, self._numbers.get
        ends, weights = self._ends, self._weights
        for line in lines:
            self.line += 1
            cells = line.split("\t")
            if len(cells) != 5:
                if line.strip():
                    raise self._wrong_columns(len(cells), _FIVE)
                continue
            _, relation, head, tail, about = cells
            into = merged_as(relation, _NEW)
            if into is _NEW:
                into = self._merged[relation] = self._into(relation)
            one, other = number_of(head), number_of(tail)
            if one is None:
                one = self._assertion_concept(head)
            if other is None:
                other = self._assertion_concept(tail)
            if into is None or one < 0 or other < 0:
                self._dropped += 1
                continue
            kind, turned, less = into
            told = _WEIGHT.search(about)
            if told is None:
                raise self._no_weight(about)
            weights.append(self._number(told.group(1)) - less)
            ends.append((other, kind, one) if turned else (one, kind, other))

    def _into(self, relation: str) -> tuple[int, bool, float] | None:
        """What a relation of ConceptNet is merged into; None for one that is left out."""
        found = merged(relation)
        if found is None:
            return None
        name, turned = found
        return self._kinds[name], turned, LESS if name in SYMMETRIC else 0.0

    def _assertion_concept(self, uri: str) -> int:
        """The number of a concept; -1 for one that is left out, as the authors leave it out."""
        number = -1
        if uri.startswith(LANGUAGE):
            words = uri[len(LANGUAGE) :].split("/", 1)[0].replace("_", " ")
            if not is_left_out(words):
                number = self._concepts.setdefault(words, len(self._concepts))
        self._numbers[uri] = number
        return number

    def _take_triples(self, lines: list[str]) -> None:
        merged_as, number_of = self._merged.get, self._numbers.get
        for line in lines:
            self.line += 1
            cells = line.split("\t")
            if len(cells) not in (3, 4):
                if line.strip():
                    raise self._wrong_columns(len(cells), _COLUMNS)
                continue
            into = merged_as(cells[1], _NEW)
            if into is _NEW:
                into = self._merged[cells[1]] = self._into_any(cells[1])
            one, other = number_of(cells[0]), number_of(cells[2])
            if one is None:
                one = self._concept(cells[0])
            if other is None:
                other = self._concept(cells[2])
            assert into is not None
            kind, turned, _ = into
            self._weights.append(self._number(cells[3]) if len(cells) == 4 else 1.0)
            self._ends.append((other, kind, one) if turned else (one, kind, other))

    def _into_any(self, relation: str) -> tuple[int, bool, float]:
        """What a relation of a table is merged into, or itself."""
        name, turned = merged(relation.strip()) or (plain(relation.strip()), False)
        if not name:
            raise self._empty()
        return self._kinds.setdefault(name, len(self._kinds)), turned, 0.0

    def _concept(self, cell: str) -> int:
        """The number of a concept of a table."""
        words = " ".join(cell.replace("_", " ").split()).lower()
        if not words:
            raise self._empty()
        number = self._numbers[cell] = self._concepts.setdefault(words, len(self._concepts))
        return number

    def _number(self, words: str) -> float:
        try:
            number = float(words)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self._no_weight(words)
        return number

    def _empty(self) -> UserMistake:
        return UserMistake(
            N_("Line {number} of {name} has an empty cell."),
            _COLUMNS,
            number=self.line,
            name=self._path.name,
        )

    def _no_weight(self, words: str) -> UserMistake:
        return UserMistake(
            N_("Line {number} of {name} has no number as its weight: “{words}”."),
            _COLUMNS,
            number=self.line,
            name=self._path.name,
            words=words.strip()[:40],
        )

    def _wrong_columns(self, count: int, hint: str) -> UserMistake:
        if count == 1:
            return UserMistake(
                N_("Line {number} of {name} has no tab in it, and so no columns."),
                hint,
                number=self.line,
                name=self._path.name,
            )
        return UserMistake(
            N_("Line {number} of {name} has {count} columns."),
            hint,
            number=self.line,
            name=self._path.name,
            count=count,
        )


def _is_assertion(line: str) -> bool:
    """Whether a first line is one of ConceptNet's."""
    cells = line.split("\t")
    return len(cells) == 5 and cells[1].startswith("/r/")


def _names_columns(line: str) -> bool:
    """Whether a first line names the columns."""
    cells = [cell.strip().casefold() for cell in line.split("\t")]
    return cells[:1] in (["head"], ["subject"], ["start"]) and cells[1:2] in (
        ["relation"],
        ["predicate"],
        ["rel"],
    )


def _blocks(file: IO[bytes], name: str) -> Iterator[list[str]]:
    """The lines of a file, a million bytes at a time."""
    rest = ""
    for block in _texts(file):
        if "\0" in block:
            raise UserMistake(
                N_("{name} is not a text file."), N_("Choose another file."), name=name
            )
        lines = (rest + block).split("\n")
        rest = lines.pop()
        if len(rest) > LONGEST_LINE:
            raise UserMistake(
                N_("{name} is no table: it has a line of more than {count} characters."),
                _COLUMNS,
                name=name,
                count=LONGEST_LINE,
            )
        yield lines
    if rest:
        yield [rest]


def _texts(file: IO[bytes]) -> Iterator[str]:
    """A file's text in pieces, unpacked where it is packed."""
    is_packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    unpacked: Any = gzip.GzipFile(fileobj=file) if is_packed else file
    block = unpacked.read(BLOCK)
    is_wide = block[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    decoder = codecs.getincrementaldecoder("utf-16" if is_wide else "utf-8-sig")()
    while block:
        yield decoder.decode(block)
        block = unpacked.read(BLOCK)
    yield decoder.decode(b"", final=True)
