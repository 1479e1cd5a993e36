"""Looks curves up: of models that come with the program, of folders, of files."""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from explorer.api.question import Context, ExplorerError, ModelStamp, UserMistake
from explorer.files.foreign import clause_of
from explorer.files.typed_paths import typed_path
from explorer.learning.curves.places import models_with_curves, read_curves_of
from explorer.learning.curves.record import TrainingRecord
from explorer.paths import own_resources
from explorer.questions.learning.training_curves.options import MOST
from explorer.questions.learning.training_curves.question import (
    MissingCurve,
    OfferedCurve,
    TrainingCurvesRequest,
    TrainingCurvesResult,
)
from explorer.text import N_, Phrase

USUAL = ("bert-miniature", "albert-miniature", "roberta-miniature")
"""Shown while nothing is named and no loaded model has a curve."""
UNREADABLE = N_("{name} can't be read as a curve: {why}.")
NOT_THERE = N_("There is no file, no folder and no model called {name}.")


def run(model: Any, request: TrainingCurvesRequest, context: Context) -> TrainingCurvesResult:
    """Read what was named.

    Raises:
        UserMistake: Nothing of it can be had.
        Cancelled: The run was cancelled.
    """
    folder = own_resources() / "models"
    bundled = models_with_curves(folder)
    records: list[TrainingRecord] = []
    missing: list[MissingCurve] = []
    names, is_usual = request.sources, False
    if not names:
        own = _own(model, context)
        names, is_usual = (own, False) if own else (USUAL, True)
    for name in dict.fromkeys(names):
        context.check()
        context.progress(N_("reading curves"), float(len(records)), float(len(names)))
        try:
            records += _read(name, folder if name in bundled else None, context)
        except (OSError, ValueError) as error:
            missing.append(MissingCurve(name, _why(name, error)))
        except ExplorerError as error:
            missing.append(MissingCurve(name, Phrase.joined([error.problem])))
    if not records:
        raise UserMistake(
            N_("None of these curves can be read. {why}"),
            N_("Choose others."),
            why=missing[0].why,
        )
    return TrainingCurvesResult(
        _stamp(model, records),
        tuple(records[:MOST]),
        tuple(missing),
        tuple(OfferedCurve(one, _title(one, context)) for one in bundled),
        is_usual,
    )


def _own(model: Any, context: Context) -> tuple[str, ...]:
    """The loaded model by its name, if it has kept a curve."""
    if model is None or context.shelf is None:
        return ()
    try:
        return (model.stamp.id,) if _of_model(model.stamp.id, context) else ()
    except (ExplorerError, OSError, ValueError):
        return ()


def _read(name: str, bundled: Path | None, context: Context) -> list[TrainingRecord]:
    if bundled is not None:
        return read_curves_of(bundled / name, name, _title(name, context))
    path = typed_path(name)
    if path.exists():
        return read_curves_of(path, name)
    if context.shelf is None:
        raise UserMistake(NOT_THERE, name=name)
    return _of_model(name, context)


def _of_model(name: str, context: Context) -> list[TrainingRecord]:
    assert context.shelf is not None
    known = context.shelf.known(name)
    folder = known.checkpoint.folder
    if folder is None:
        raise UserMistake(NOT_THERE, name=name)
    return read_curves_of(Path(folder), name, known.checkpoint.title)


def _title(name: str, context: Context) -> str:
    try:
        return name if context.shelf is None else context.shelf.known(name).checkpoint.title
    except ExplorerError:
        return name


def _why(name: str, error: OSError | ValueError) -> Phrase:
    why: object = error.strerror or error if isinstance(error, OSError) else clause_of(error)
    return Phrase(UNREADABLE, name=Path(name).name or name, why=why)


def _stamp(model: Any, records: list[TrainingRecord]) -> ModelStamp:
    if model is not None:
        found: ModelStamp = model.stamp
        return found
    told = blake2b(digest_size=16)
    for part in _told(records):
        told.update(part)
    return ModelStamp(records[0].source, "", told.hexdigest(), "meta", "")


def _told(records: list[TrainingRecord]) -> Iterator[bytes]:
    for record in records:
        yield record.source.encode("utf-8", "replace")
        for one in record.columns:
            yield from (one.steps.tobytes(), one.values.tobytes())
