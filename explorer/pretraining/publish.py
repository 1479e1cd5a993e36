"""From a recipe to a folder that transformers loads by itself: train, measure, write."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.learning.training import CheckpointError, TrainingRun, fingerprint
from explorer.pretraining.miniature import MiniatureRecipe


def prepare(
    recipe: MiniatureRecipe, steps: int, seed: int, documents: int | None = None
) -> tuple[TrainingRun[MiniatureRecipe], Any]:
    """Corpus, tokenizer, model and batches of a run that has not started, and the tokenizer."""
    import torch

    texts = recipe.documents(documents or recipe.schedule.documents)
    tokenizer = recipe.make_tokenizer(texts)
    torch.manual_seed(seed)
    model = recipe.make_model(tokenizer)
    batches = recipe.make_batches(tokenizer, texts, seed)
    return TrainingRun(recipe, model, batches, steps, seed, fingerprint(tokenizer)), tokenizer


def train_and_publish(
    recipe: MiniatureRecipe,
    *,
    out: Path,
    steps: int,
    seed: int,
    threads: int,
    checkpoint: Path,
    resume: bool,
) -> None:
    """Train a miniature and write it to a folder.

    Raises:
        CheckpointError: asked to continue a run that is not there or is another one.
    """
    import torch

    if resume and not checkpoint.is_file():
        raise CheckpointError(f"No checkpoint at {checkpoint}. Start without --resume first.")
    torch.set_num_threads(threads)
    print("Writing the corpus and training the tokenizer.", file=sys.stderr, flush=True)
    run, tokenizer = prepare(recipe, steps, seed)
    run.checkpoint = checkpoint
    if resume:
        run.resume()
    run.train()
    print("Measuring on unseen sentences.", file=sys.stderr, flush=True)
    publish(run, tokenizer, out)
    print(f"Written to {out}.", file=sys.stderr, flush=True)


def publish(run: TrainingRun[MiniatureRecipe], tokenizer: Any, out: Path) -> None:
    """Write weights (float16), tokenizer, curve and card of each part of the recipe."""
    parts = run.recipe.parts(run.model)
    folders = {part: out.with_name(out.name + part) for part in parts}
    curve = {
        "recipe": run.recipe.name,
        "seed": run.seed,
        "steps": run.step,
        "rows": run.curve.rows,
    }
    for part, folder in folders.items():
        folder.mkdir(parents=True, exist_ok=True)
        save_half(parts[part], folder)
        tokenizer.save_pretrained(folder)
        text = json.dumps(curve, separators=(",", ":")) + "\n"
        (folder / "curve.json").write_text(text, "utf-8")
    # The card measures the weights as they were written, not the float32 ones they came from.
    written = {
        part: type(model).from_pretrained(folders[part], dtype="float32").eval()
        for part, model in parts.items()
    }
    for part, folder in folders.items():
        about = {
            "steps": run.step,
            "seed": run.seed,
            "minutes": run.seconds / 60,
            "documents": run.recipe.schedule.documents,
            "examples": run.recipe.schedule.examples,
            "files": folder,
            "part": part,
            "parts": written,
        }
        (folder / "README.md").write_text(run.recipe.card(written[part], tokenizer, about), "utf-8")
    # Only now: the classes that a changed config names need not be those that were measured.
    for folder in folders.values():
        change_config(folder, run.recipe.config_changes)
    run.recipe.finish(run.model, tokenizer, out)


def save_half(model: Any, out: Path) -> None:
    """Store weights in float16 and have them loaded as float32.

    The configuration names float32, so that a processor computes in the precision it is fast in.
    """
    import copy

    copy.deepcopy(model).half().save_pretrained(out)
    # safetensors lets nobody but the owner read what it writes.
    (out / "model.safetensors").chmod(0o644)
    change_config(out, {"torch_dtype": None, "dtype": "float32"})


def change_config(folder: Path, changes: Mapping[str, Any]) -> None:
    """Write other values into config.json; None takes a key out."""
    path = folder / "config.json"
    config = json.loads(path.read_text("utf-8")) | changes
    config = {
        key: value for key, value in config.items() if value is not None or key not in changes
    }
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", "utf-8")
