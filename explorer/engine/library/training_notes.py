"""What is written down of the training of a model that was trained with this program."""

import contextlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.api.family import ExplorerError
from explorer.api.family.checkpoint import Checkpoint, TrainingNotes
from explorer.api.question.options.asks import asked_fields
from explorer.engine.library.file_limits import LARGEST_CONFIG
from explorer.engine.library.licence_names import spdx_name
from explorer.series.steps import step_of
from explorer.text.phrase import NOTHING, Phrase, verbatim

CARD = "README.md"
TRAINING, LICENCE = "| Training | ", "license: "
"""Beginnings of lines in a miniature's card, as `explorer.pretraining` writes it."""


def with_training(row: Checkpoint) -> Checkpoint:
    """A row with what is written down of its training; as it is where nothing is.

    Args:
        row: Of a miniature, or of a frame of a run or of a film.
    """
    if row.folder is None:
        return row
    folder = Path(row.folder)
    found: TrainingNotes | None = None
    # Whatever is wrong with notes must not cost the row, nor those of others.
    with contextlib.suppress(ExplorerError, OSError, ValueError, TypeError):
        found = _of_run(folder) or _of_card(folder / CARD)
    if found is None:
        return row
    return replace(row, training=found, licence=row.licence or found.licence)


def _of_run(folder: Path) -> TrainingNotes | None:
    """By the curve of the run, up to the frame."""
    from explorer.learning.runs.run_folder import RunFolder

    step = step_of(folder.name)
    run = RunFolder(folder.parent)
    if step is None or not run.is_one:
        return None
    last: Mapping[str, Any] = next(
        (row for row in reversed(run.curve()) if row.get("step", step + 1) <= step), {}
    )
    corpus = NOTHING
    with contextlib.suppress(ExplorerError):  # of another version of the program
        corpus = _corpus_of(run.plan)
    return TrainingNotes(
        steps=step,
        tokens=round(last["tokens"]) if "tokens" in last else None,
        multiply_adds=last.get("multiply_adds"),
        seconds=last.get("seconds"),
        corpus=corpus,
    )


def _corpus_of(plan: object) -> Phrase:
    """The text that a run read: one of the program's, or a file's name."""
    path = getattr(plan, "path", "")
    if path:
        return verbatim(Path(path).name)
    field = asked_fields(plan).get("corpus")
    entries = getattr(field.option, "entries", ()) if field is not None else ()
    chosen = getattr(plan, "corpus", None)
    return next((Phrase(one.title) for one in entries if one.value == chosen), NOTHING)


def _of_card(card: Path) -> TrainingNotes | None:
    if not card.is_file():
        return None
    with card.open(encoding="utf-8") as file:
        lines = file.read(LARGEST_CONFIG).splitlines()
    # Parts as "8,500 steps of 96 texts" and "33 minutes by the clock".
    words = _behind(lines, TRAINING).replace(", ", " ").split()
    counts = {
        unit: int(number.replace(",", ""))
        for number, unit in itertools.pairwise(words)
        if number.replace(",", "").isdecimal()
    }
    steps, batch, minutes = (counts.get(unit) for unit in ("steps", "texts", "minutes"))
    if minutes is None:
        return None
    right, best = itertools.islice(itertools.chain(_shares(lines), (None, None)), 2)
    return TrainingNotes(
        steps=steps,
        texts=steps * batch if steps is not None and batch is not None else None,
        seconds=60.0 * minutes,
        right=right,
        best=best,
        licence=spdx_name(_behind(lines, LICENCE)),
    )


def _shares(lines: list[str]) -> Iterator[float | None]:
    """How often one hidden piece is found, and how often it could be."""
    for line in lines:
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        if name == "one piece":
            yield from (float(one[:-1]) / 100 for one in cells if one.endswith("%"))


def _behind(lines: list[str], beginning: str) -> str:
    """What follows the beginning of the first line that has it; "" where none has."""
    found = (one for one in lines if one.startswith(beginning))
    return next(found, "").removeprefix(beginning).strip()
