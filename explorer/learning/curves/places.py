"""Where curves lie: a file, a folder of a run, a folder of several runs."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.files.foreign import Unfit, json_of, read_bytes
from explorer.learning.curves.columns import measured_of, paces_of, rows_of_lines, rows_of_table
from explorer.learning.curves.event_files import scalars_of
from explorer.learning.curves.record import TrainingRecord, record_of
from explorer.learning.curves.trainer_state import NAME as TRAINER_STATE
from explorer.learning.curves.trainer_state import read_trainer_state
from explorer.series.frame_folders import frame_folders
from explorer.text import N_, Phrase

MINIATURE = "curve.json"
"""What a bundled model keeps of its training."""
RUN, PLAN = "curve.jsonl", "plan.json"
"""What a run of the program keeps: a row a line, and what was planned."""
LINES, TABLES = (".jsonl", ".ndjson"), (".csv", ".tsv")
MOST_TABLE = 300_000_000
MOST_LISTED = 2_000
"""Names in a folder that are looked at."""
MOST_RUNS = 24
"""Runs that are taken of one folder."""
_EVENTS = "tfevents"
_SEED = re.compile(r"(?<![a-z])(?:seed|s)[-_ =]?(\d+)(?![0-9a-z])", re.IGNORECASE)

NO_SCALARS = N_("there is no column of numbers in it")
NO_CURVES = N_(
    "there is no curve in it: no trainer_state.json, no event file, no table, no run of the program"
)


def is_curve(path: Path) -> bool:
    """Whether a path is, by its name, a file of curves, or a folder that has one in it."""
    if path.is_dir():
        return bool(_files_in(path)) or any(_files_in(one) for one in _folders_in(path)[:MOST_RUNS])
    return _is_curve_file(path.name)


def read_curves_of(path: Path, source: str = "", title: str = "") -> list[TrainingRecord]:
    """The curves of a file or a folder.

    Args:
        path: What was named.
        source: As it was named; the path where that is left out.
        title: What people read for it; the name of the file or folder where that is left out.

    Returns:
        One; of a folder with several runs in it, one each, by their names.

    Raises:
        Unfit: There is none, or what is there can't be taken apart.
        ValueError: It is no JSON.
        OSError: It can't be read.
    """
    source, title = source or str(path), title or path.name or str(path)
    if not path.is_dir():
        return [_read([path], source, title)]
    if files := _files_in(path):
        return [_read(files, source, title)]
    inner = [(one, files) for one in _folders_in(path) if (files := _files_in(one))][:MOST_RUNS]
    if not inner:
        raise Unfit(NO_CURVES)
    return [
        replace(_read(files, f"{source}/{one.name}", f"{title}/{one.name}"), within=source)
        for one, files in inner
    ]


def _files_in(folder: Path) -> list[Path]:
    """The files of one run in a folder: those of the kind that says most."""
    names = {one.name: one for one in _listed(folder) if _is_curve_file(one.name) and one.is_file()}
    for name in (RUN, MINIATURE, TRAINER_STATE):
        if name in names:
            return [names[name]]
    if kept := _last_checkpoint(folder):
        return [kept]
    events = sorted(name for name in names if _EVENTS in name)
    if events:
        return [names[name] for name in events]
    tables = sorted(name for name in names if name.endswith((*TABLES, *LINES)))
    return [names[tables[0]]] if len(tables) == 1 else []


def _last_checkpoint(folder: Path) -> Path | None:
    """The history in the last of Trainer's checkpoints, which has those before in it."""
    states = (frame / TRAINER_STATE for _, frame in reversed(frame_folders(folder)))
    return next((one for one in states if one.is_file()), None)


def _listed(folder: Path) -> list[Path]:
    found: list[Path] = []
    for one in folder.iterdir():
        found.append(one)
        if len(found) >= MOST_LISTED:
            break
    return sorted(found)


def _folders_in(folder: Path) -> list[Path]:
    return [one for one in _listed(folder) if one.is_dir()]


def _is_curve_file(name: str) -> bool:
    return (
        name in {MINIATURE, TRAINER_STATE}
        or _EVENTS in name
        or name.casefold().endswith((*LINES, *TABLES))
    )


def _read(files: Sequence[Path], source: str, title: str) -> TrainingRecord:
    record = _reader(files[0])(files, source, title, *seed_in(title))
    if not record.columns:
        raise Unfit(NO_SCALARS)
    return record


Reader = Callable[[Sequence[Path], str, str, int | None, str], TrainingRecord]


def _reader(path: Path) -> Reader:
    if path.name == TRAINER_STATE:
        return _trainer
    if path.name == MINIATURE:
        return _miniature
    if _EVENTS in path.name:
        return _events
    return _table


def _trainer(
    files: Sequence[Path], source: str, title: str, seed: int | None, plan: str
) -> TrainingRecord:
    return replace(read_trainer_state(files[0], source, title), seed=seed, plan=plan)


def _miniature(
    files: Sequence[Path], source: str, title: str, _seed: int | None, _plan: str
) -> TrainingRecord:
    written = json_of(read_bytes(files[0], MOST_TABLE))
    rows = written.get("rows") if isinstance(written, dict) else None
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        raise Unfit(N_("it has no list “rows”"))
    drawn = written.get("seed")
    seed = drawn if type(drawn) is int else None
    plan = str(written.get("recipe", ""))
    return record_of(source, title, measured_of(rows), seed=seed, plan=plan, paces=paces_of(rows))


def _events(
    files: Sequence[Path], source: str, title: str, seed: int | None, plan: str
) -> TrainingRecord:
    every: dict[str, tuple[list[float], list[float]]] = {}
    notes: list[Phrase] = []
    for path in files:
        found, told = scalars_of(path, title)
        notes += told
        for tag, (steps, values) in found.items():
            at, numbers = every.setdefault(tag, ([], []))
            at += steps
            numbers += values
    return record_of(source, title, every, seed=seed, plan=plan, notes=notes)


def _table(
    files: Sequence[Path], source: str, title: str, seed: int | None, plan: str
) -> TrainingRecord:
    path = files[0]
    content = read_bytes(path, MOST_TABLE)
    is_lines = path.suffix.casefold() in LINES
    rows = rows_of_lines(content) if is_lines else rows_of_table(content)
    if path.name == RUN:
        seed, plan = _planned(path.parent, seed, plan)
    return record_of(
        source,
        title,
        measured_of(rows, path.stem),
        seed=seed,
        plan=plan,
        paces=paces_of(rows),
    )


def _planned(folder: Path, seed: int | None, plan: str) -> tuple[int | None, str]:
    """The seed of a run of the program, and all else of its plan."""
    try:
        written: Any = json_of(read_bytes(folder / PLAN, 1_000_000))
        settings = written.get("plan", written)
        # A plan writes itself as JSON of its own.
        settings = dict(json_of(settings) if isinstance(settings, str) else settings)
        drawn = settings.pop("seed", seed)
    except (OSError, ValueError, AttributeError, TypeError):
        return seed, plan
    return (drawn if type(drawn) is int else seed), repr(sorted(settings.items()))


def seed_in(name: str) -> tuple[int | None, str]:
    """The seed that a name tells, and what is left of the name without it.

    Returns:
        "bert-seed-3" is seed 3 of "bert-"; None and "" where it tells none.
    """
    found = _SEED.search(name)
    if found is None or len(found[1]) > 9:
        return None, ""
    return int(found[1]), name[: found.start()] + name[found.end() :]


def models_with_curves(folder: Path) -> tuple[str, ...]:
    """Names of the models in a folder that have kept the curve of their training."""
    return tuple(one.name for one in _listed(folder) if (one / MINIATURE).is_file())
