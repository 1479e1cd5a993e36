"""Scores and slips of the literature, kept in resources/figures with their sources."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from explorer.paths import Paths


@dataclass(frozen=True)
class PublishedScores:
    """A row of a table of scores.

    Attributes:
        model: Which model, or how it was trained.
        parameters: Its size, as the same source has it.
        scores: One a column; None where none is printed.
        of: The published checkpoint that is called so; "" for none.
    """

    model: str
    parameters: int
    scores: tuple[float | None, ...]
    of: str = ""


@dataclass(frozen=True)
class ScoreTable:
    """A published table.

    Attributes:
        id: Short.
        title: What a user reads.
        source: The paper and its table.
        note: What must be known to read it.
        columns: What was measured.
        rows: The models.
    """

    id: str
    title: str
    source: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[PublishedScores, ...]


@dataclass(frozen=True)
class Slip:
    """Something that the lecture notes say otherwise than the papers.

    Attributes:
        about: Which model.
        says: The notes.
        fact: The paper.
        source: Where the paper says it.
    """

    about: str
    says: str
    fact: str
    source: str


@cache
def score_tables() -> tuple[ScoreTable, ...]:
    """Every table of scores."""
    return tuple(
        ScoreTable(
            id=table["id"],
            title=table["title"],
            source=table["source"],
            note=table["note"],
            columns=tuple(table["columns"]),
            rows=tuple(
                PublishedScores(
                    row["model"],
                    int(row["parameters"]),
                    tuple(map(float, row["scores"])),
                    row.get("of", ""),
                )
                for row in table["rows"]
            ),
        )
        for table in _read("scores.toml")["tables"]
    )


@cache
def measures() -> tuple[str, ...]:
    """What any table has scores of."""
    return tuple(dict.fromkeys(one for table in score_tables() for one in table.columns))


def scored(measure: str) -> Iterator[tuple[int, ScoreTable, PublishedScores, float]]:
    """The number of a table, the table, a row of it, and what that has of a measure."""
    for number, table in enumerate(score_tables()):
        if measure in table.columns:
            at = table.columns.index(measure)
            for row in table.rows:
                score = row.scores[at]
                if score is not None:
                    yield number, table, row, score


@dataclass(frozen=True)
class PublishedCost:
    """What a model's training took, as a paper prints it.

    Attributes:
        of: The published checkpoint.
        flops: Floating-point operations, as the paper counts them.
        source: The paper and its table.
    """

    of: str
    flops: float
    source: str


@cache
def training_costs() -> tuple[PublishedCost, ...]:
    """Every cost that is kept."""
    return tuple(
        PublishedCost(one["of"], float(one["flops"]), one["source"])
        for one in _read("training_costs.toml")["costs"]
    )


@cache
def slips() -> tuple[Slip, ...]:
    """Every slip that was found."""
    return tuple(
        Slip(one["about"], one["says"], one["is"], one["source"])
        for one in _read("slips.toml")["slips"]
    )


def _read(name: str) -> dict[str, Any]:
    path = Paths.standard().resources / "figures" / name
    return tomllib.loads(path.read_text(encoding="utf-8"))
