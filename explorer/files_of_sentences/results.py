"""What came of every sentence, in a file that only grows.

One SQLite file a run, named by what was asked: the sentences, the question, the model. A run that
was stopped, or killed, goes on where it was; another question goes to another file, so that no
table ever mixes two. Rows are written in the order of the sentences and never changed.
"""

import contextlib
import hashlib
import itertools
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import filelock

from explorer import __version__
from explorer.api.question import Cell, MachineFault, UserMistake
from explorer.files.private import FILE, make_file, make_folder
from explorer.files_of_sentences.rows import (
    FAILURE,
    NUMBER,
    PAIR,
    TEXT,
    ResultsReader,
    names_apart,
)
from explorer.files_of_sentences.sentences import FileSentence
from explorer.text import N_

ENDING = ".results.db"
VERSION = 3
"""Another one where files are read otherwise: no table holds rows of two readings."""
VIEW = "results"
"""The table of a results file in which every column has its name, for other programs."""
MODEL = "model"
"""The column that says whose row it is, where several models answered."""

_AT_ONCE = 1000
"""Rows that are laid together at once."""

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE columns (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE kept (place INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE rows (
    position INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    pair TEXT,
    failure TEXT
);
"""


@dataclass(frozen=True)
class ResultsKey:
    """What a results file holds the answers to; two that differ never share a file.

    Attributes:
        digest: Of the file of sentences.
        column: Which of its columns is read; "" in a text file.
        operation: The question's name.
        request: The question as JSON, its text empty.
        models: Fingerprint and number type of each model that answers.
        pair_column: Which of its columns second sentences are read from; "" for none.
        layers_from_0: Its rows speak of layers, which older programs counted from 1: what those
            wrote is no row of this.
    """

    digest: str
    column: str
    operation: str
    request: str
    models: tuple[str, ...]
    pair_column: str = ""
    layers_from_0: bool = False

    def to_json(self) -> str:
        """On one line, the same for the same question."""
        # Another version of the program may write other columns.
        content = {"version": VERSION, "program": __version__, **self.__dict__}
        if not self.layers_from_0:
            # As files are named that were begun before this was told.
            del content["layers_from_0"]
        return json.dumps(content, ensure_ascii=False, sort_keys=True)

    @classmethod
    def of(cls, place: Path) -> "ResultsKey":
        """What a results file holds the answers to."""
        told = ResultsReader(place).about("asked")
        assert isinstance(told, dict)
        content = {name: told[name] for name in cls.__dataclass_fields__ if name in told}
        return cls(**{**content, "models": tuple(content["models"])})

    @property
    def key(self) -> str:
        """32 hexadecimal digits."""
        return hashlib.blake2b(self.to_json().encode("utf-8"), digest_size=16).hexdigest()

    def place(self, folder: Path) -> Path:
        """Its file in a folder."""
        return folder / f"{self.key}{ENDING}"

    def begun_in(self, folder: Path, names: Sequence[str]) -> "Iterator[ResultsKey]":
        """The same by every name of its question under which a folder has a file."""
        for name in names:
            named = replace(self, operation=name)
            if named.place(folder).exists():
                yield named


@dataclass(frozen=True)
class SentenceOutcome:
    """What came of one sentence.

    Attributes:
        sentence: The one that was asked about.
        cells: Named cells; empty where it failed.
        failure: Why it failed, in one sentence, or None.
    """

    sentence: FileSentence
    cells: Mapping[str, Cell] = field(default_factory=dict)
    failure: str | None = None


class ResultsWriter:
    """Adds rows to a results file; while one writes, no other can.

    Args:
        path: The file; made with its folder if it is not there.
        asked: What it holds the answers to.

    Raises:
        UserMistake: Another run writes to it now.
        MachineFault: It can't be written.
    """

    def __init__(self, path: Path, asked: ResultsKey) -> None:
        self.path = path
        self._lock = filelock.FileLock(path.with_name(path.name + ".lock"), timeout=0, mode=FILE)
        self._columns: dict[str, int] = {}
        with self._told():
            make_folder(path.parent)
            self._lock.acquire()
            try:
                self._database = self._opened(asked)
            except BaseException:
                self._lock.release()
                raise
        self.count = int(self._database.execute("SELECT count(*) FROM rows").fetchone()[0])

    def _opened(self, asked: ResultsKey) -> sqlite3.Connection:
        make_file(self.path)
        database = sqlite3.connect(self.path, isolation_level=None)
        try:
            # Readers never wait for the writer, and a row that was committed outlives a kill.
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")
            if not database.execute("PRAGMA table_info(about)").fetchall():
                database.executescript(f"BEGIN;{_SCHEMA}COMMIT;")
            database.execute("INSERT OR IGNORE INTO about VALUES ('asked', ?)", (asked.to_json(),))
            found = database.execute("SELECT value FROM about WHERE key = 'asked'").fetchone()[0]
            if found != asked.to_json():
                raise MachineFault(
                    N_("{name} holds the answers to another question."),
                    N_("Move it away, then run again."),
                    name=self.path.name,
                )
            self._columns = self._columns_of(database)
        except BaseException:
            database.close()
            raise
        return database

    @staticmethod
    def _columns_of(database: sqlite3.Connection) -> dict[str, int]:
        return {str(n): int(place) for place, n in database.execute("SELECT * FROM columns")}

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Put what can go wrong with a file into words."""
        try:
            yield
        except filelock.Timeout as error:
            raise UserMistake(
                N_("Another run of the same question writes to the same results."),
                N_("Wait for it, or stop it."),
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise MachineFault(
                N_("The results can't be written to {parent} ({error})."),
                N_("Look whether the disk is full, or whether you may write there."),
                parent=self.path.parent,
                error=error,
            ) from error

    def describe(self, values: Mapping[str, Any]) -> None:
        """Keep what a person wants to know of the file: where the sentences came from."""
        with self._told():
            self._database.executemany(
                "INSERT OR REPLACE INTO about VALUES (?, ?)",
                [(key, json.dumps(value, ensure_ascii=False)) for key, value in values.items()],
            )

    def keep(self, names: Sequence[str]) -> None:
        """Say which columns of the file of sentences the rows keep, before the first is written."""
        with self._told():
            if self._kept_count() or not names:
                self._show()
                return
            self._database.execute("BEGIN IMMEDIATE")
            for place, name in enumerate(names):
                self._database.execute("INSERT INTO kept VALUES (?, ?)", (place, name))
                self._database.execute(f"ALTER TABLE rows ADD COLUMN k{place}")
            self._show()
            self._database.execute("COMMIT")

    def _kept_count(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM kept").fetchone()[0])

    def _show(self) -> None:
        """Make the table that others read, in which every column has its name."""
        kept = [str(name) for (name,) in self._database.execute("SELECT name FROM kept")]
        cells = {
            NUMBER: "number",
            TEXT: "text",
            PAIR: "pair",
            **{name: f"c{place}" for name, place in self._columns.items()},
            **{name: f"k{place}" for place, name in enumerate(names_apart(kept, self._columns))},
            FAILURE: "failure",
        }
        # SQLite takes names of columns for the same whatever their case.
        named: dict[str, str] = {}
        for name, cell in cells.items():
            while name.casefold() in named:
                name += "_"  # noqa: PLW2901 - another name
            named[name.casefold()] = f'{cell} AS "{name.replace(chr(34), chr(34) * 2)}"'
        self._database.execute(f"DROP VIEW IF EXISTS {VIEW}")
        self._database.execute(
            f"CREATE VIEW {VIEW} AS SELECT {', '.join(named.values())} FROM rows ORDER BY position"  # noqa: S608
        )

    def append(self, outcomes: Sequence[SentenceOutcome]) -> None:
        """Write rows, all or none; they are safe when this returns.

        Raises:
            MachineFault: They can't be written.
        """
        with self._told():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                for outcome in outcomes:
                    self._insert(outcome)
            except BaseException:
                self._database.execute("ROLLBACK")
                self._columns = self._columns_of(self._database)
                raise
            self._database.execute("COMMIT")
        self.count += len(outcomes)

    def _insert(self, outcome: SentenceOutcome) -> None:
        new = [name for name in outcome.cells if name not in self._columns]
        for name in new:
            place = len(self._columns)
            self._database.execute("INSERT INTO columns VALUES (?, ?)", (place, name))
            self._database.execute(f"ALTER TABLE rows ADD COLUMN c{place}")
            self._columns[name] = place
        if new:
            self._show()
        one = outcome.sentence
        names = ["number", "text", "pair", "failure"]
        names += [f"c{self._columns[name]}" for name in outcome.cells]
        names += [f"k{place}" for place, _ in enumerate(one.kept)]
        values = [one.number, one.text, one.pair, outcome.failure, *outcome.cells.values()]
        values += one.kept
        marks = ", ".join("?" * len(values))
        self._database.execute(
            f"INSERT INTO rows ({', '.join(names)}) VALUES ({marks})",  # noqa: S608 - own names
            values,
        )

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(sqlite3.Error):
            self._database.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def side_by_side(folder: Path, parts: Mapping[str, ResultsReader]) -> Path:
    """Lay what several models answered together: a row a sentence and model, in one file.

    Args:
        folder: Where results are kept.
        parts: Each model's own results, by its id: of one question, the same sentences of one
            file, and complete.

    Returns:
        The results file. It is kept too, and one that was left half written is gone on with.

    Raises:
        UserMistake: Another run writes to it now.
        MachineFault: It can't be written.
    """
    each = [ResultsKey.of(part.path) for part in parts.values()]
    asked = replace(each[0], models=tuple(one for part in each for one in part.models))
    place = asked.place(folder)
    with ResultsWriter(place, asked) as writer:
        for key in ("source", "operation"):
            writer.describe({key: next(iter(parts.values())).about(key)})
        writer.keep(next(iter(parts.values())).kept_columns)
        rows = zip(*(_outcomes(name, part) for name, part in parts.items()), strict=True)
        outcomes = itertools.islice(itertools.chain.from_iterable(rows), writer.count, None)
        while some := list(itertools.islice(outcomes, _AT_ONCE)):
            writer.append(some)
    return place


def _outcomes(model: str, reader: ResultsReader) -> Iterator[SentenceOutcome]:
    """The rows of one model, each with its name."""
    columns, kept = reader.columns, reader.kept_columns
    for row in reader.every():
        cells = dict(zip(columns, row, strict=True))
        number, text, pair, failure = (cells.pop(name) for name in (NUMBER, TEXT, PAIR, FAILURE))
        assert isinstance(number, int)
        assert isinstance(text, str)
        held = tuple(str(cells.pop(name)) for name in kept)
        sentence = FileSentence(number, text, pair if isinstance(pair, str) else None, kept=held)
        own = {name: cell for name, cell in cells.items() if cell is not None}
        why = failure if isinstance(failure, str) else None
        yield SentenceOutcome(sentence, {MODEL: model, **own}, why)
