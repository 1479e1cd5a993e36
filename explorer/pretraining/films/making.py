"""From a plan to a film in a folder: train, choose frames, store them, measure, tell."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from explorer import __version__
from explorer.learning.runs import run_folder
from explorer.learning.runs.json_rows import read_rows, write_rows
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings, write_state
from explorer.pretraining.films.card import FilmCard, card_of
from explorer.pretraining.films.measuring import (
    TEXTS,
    AskedFrames,
    StoredError,
    StoredFrame,
    asked_of,
    error_of,
)
from explorer.pretraining.films.recipes import FilmRecipe
from explorer.pretraining.films.storing import WEIGHTS, share_tokenizer, store

MANIFEST: Final = "film.json"
MOST: Final = 1e-3
"""How far a probability may move where weights are stored in fewer bits."""
BITS: Final = (8, 16)
"""That are tried, one after the other."""


def make(recipe: FilmRecipe, runs: Path, out: Path, texts: int = TEXTS) -> str:
    """Train a film, or take its run up again, and write it.

    Args:
        recipe: Which.
        runs: Where its run is kept.
        out: The folder that is written; what is there is written over.
        texts: Held-out ones at which it is measured how near frames are as they are stored.

    Returns:
        What came of it, in a line.
    """
    from transformers import AutoTokenizer

    run = trained(recipe, runs)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    asked = asked_of(run.plan, AutoTokenizer.from_pretrained(run.frame(recipe.steps[0])), texts)
    frames = [stored(run, step, out, asked) for step in recipe.steps]
    share_tokenizer([run.frame(step) for step in recipe.steps], out)
    shutil.copyfile(run.place / run_folder.PLAN, out / run_folder.PLAN)
    write_rows(out / run_folder.CURVE, recipe.told_of(read_rows(run.place / run_folder.CURVE)))
    write_rows(out / run_folder.MEASURED, recipe.kept_of(run.measured()))
    (out / MANIFEST).write_text(json.dumps(_told(recipe, frames), indent=1) + "\n", "utf-8")
    eight = max(one.eight_bits for one in frames)
    told = run.measured(), run.state.seconds, _size(out), eight, frames[0].asked
    card = FilmCard(recipe, frames, *told, _pieces(run.frame(recipe.steps[0])))
    (out / run_folder.CARD).write_text(card_of(card), "utf-8")
    for one in out.rglob("*"):
        one.chmod(0o755 if one.is_dir() else 0o644)
    most = max(one.error.largest for one in frames)
    return (
        f"{out}: {len(frames)} frames, {_size(out) / 1e6:.1f} MB, probabilities within {most:.1e}"
    )


def trained(recipe: FilmRecipe, runs: Path) -> RunFolder:
    """The run of a film, trained to its end in this process with one thread."""
    import torch

    from explorer.hf.loading.checkpoint import quiet_transformers
    from explorer.learning.runs.one_run import OneRun

    quiet_transformers()
    torch.set_num_threads(1)
    one = RunFolder(runs / recipe.name)
    if not one.is_one:
        one = Trainings(runs, runs).made(recipe.plan, recipe.name)
    if one.plan != recipe.plan:
        raise SystemExit(f"{one.place} is a run of another plan. Move it away.")
    with one.lock().acquire(timeout=2):
        if one.state.status is not RunStatus.DONE:
            print(f"Training {recipe.name}.", file=sys.stderr, flush=True)
            write_state(one, one.state.with_status(RunStatus.TRAINING))
            work = OneRun(one)
            ended = work.train()
            write_state(one, work.state.with_status(ended))
    return one


def stored(run: RunFolder, step: int, out: Path, asked: AskedFrames) -> StoredFrame:
    """Store a frame in as few bits as leave its probabilities what they were.

    Raises:
        ValueError: Sixteen bits do not.
    """
    import transformers

    frame, to = run.frame(step), out / run.frame(step).name
    named = json.loads((frame / "config.json").read_text("utf-8"))["architectures"][0]
    model: Any = getattr(transformers, named).from_pretrained(frame)
    found: dict[int, StoredError] = {}
    for bits in BITS:
        found[bits] = error = error_of(model, store(frame, to, bits), asked)
        if error.largest <= MOST:
            digest = hashlib.sha256((frame / WEIGHTS).read_bytes()).hexdigest()
            return StoredFrame(step, bits, error, digest, found[8].largest, len(asked))
    raise ValueError(f"Step {step}: a probability moves by {error.largest:.1e}.")


def _told(recipe: FilmRecipe, frames: list[StoredFrame]) -> dict[str, Any]:
    """What `film.json` says: what made the film, and what its frames are."""
    import torch
    import transformers

    return {
        "format": 1,
        "name": recipe.name,
        "command": f"python -m explorer.pretraining.films {recipe.name}",
        "program": __version__,
        "libraries": {"torch": torch.__version__, "transformers": transformers.__version__},
        "plan": json.loads(recipe.plan.to_json()),
        "frames": [dataclasses.asdict(one) for one in frames],
    }


def _pieces(frame: Path) -> int:
    return int(json.loads((frame / "config.json").read_text("utf-8"))["vocab_size"])


def _size(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())
