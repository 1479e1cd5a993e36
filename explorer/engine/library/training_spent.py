"""What the training of a model took that was trained with this program, as it was written down."""

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.api.family.checkpoint import TrainingSpent
from explorer.api.question.asks import asked_fields
from explorer.engine.library.file_limits import LARGEST_CONFIG
from explorer.series.steps import step_of
from explorer.text.phrase import NOTHING, Phrase, verbatim

CARD = "README.md"
_BEGINNING = "| Training | "
"""Of the line in a miniature's card, as `explorer.pretraining` writes it, whose parts are numbers
with what they count."""


def spent_on(folder: Path) -> TrainingSpent | None:
    """What is written down of a model's training; None where nothing is.

    Args:
        folder: Of a miniature, or a frame of a run or of a film.
    """
    return _of_run(folder) or _of_card(folder / CARD)


def _of_run(folder: Path) -> TrainingSpent | None:
    """By the curve of the run, up to the frame."""
    from explorer.learning.runs.run_folder import RunFolder

    step = step_of(folder.name)
    run = RunFolder(folder.parent)
    if step is None or not run.is_one:
        return None
    last: Mapping[str, Any] = next(
        (row for row in reversed(run.curve()) if row.get("step", step + 1) <= step), {}
    )
    return TrainingSpent(
        steps=step,
        tokens=round(last["tokens"]) if "tokens" in last else None,
        multiply_adds=last.get("multiply_adds"),
        seconds=last.get("seconds"),
        corpus=_corpus_of(run.plan),
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


def _of_card(card: Path) -> TrainingSpent | None:
    try:
        with card.open(encoding="utf-8") as file:
            written = file.read(LARGEST_CONFIG)
    except (OSError, ValueError):
        return None
    line = next((one for one in written.splitlines() if one.startswith(_BEGINNING)), "")
    # Parts as "8,500 steps of 96 texts" and "33 minutes by the clock".
    words = line.removeprefix(_BEGINNING).replace(", ", " ").split()
    counts = {
        unit: int(number.replace(",", ""))
        for number, unit in itertools.pairwise(words)
        if number.replace(",", "").isdecimal()
    }
    steps, batch, minutes = (counts.get(unit) for unit in ("steps", "texts", "minutes"))
    if minutes is None:
        return None
    return TrainingSpent(
        steps=steps,
        texts=steps * batch if steps is not None and batch is not None else None,
        seconds=60.0 * minutes,
    )
