"""A run's weights at a step, as transformers' Trainer leaves them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from explorer.learning.training import TrainingRun

GENERATOR: Final = "-generator"
TRAINER_STATE: Final = "trainer_state.json"


def write_frame(run: TrainingRun[Any], folder: Path) -> None:
    """Write weights, config, tokenizer and curve, all or none.

    A generator that is trained beside a discriminator has a folder of its own beside this one,
    whose name ends as the two are published.

    Raises:
        OSError: They can't be written.
        RuntimeError: The same, as the library of the weights says it.
    """
    parts = dict(run.recipe.parts(run.model))
    generator = parts.pop(GENERATOR, None)
    if generator is not None and parts:
        _write(run, generator, generator_of(folder))
    _write(run, next(iter(parts.values()), generator), folder)


def generator_of(folder: Path) -> Path:
    """Where the generator of a frame is, where there is one."""
    return folder.with_name(folder.name + GENERATOR)


def delete_frame(folder: Path) -> None:
    """Delete all of a frame.

    Raises:
        OSError: It can't be deleted.
    """
    shutil.rmtree(folder)
    if generator_of(folder).is_dir():
        shutil.rmtree(generator_of(folder))


def _write(run: TrainingRun[Any], model: Any, folder: Path) -> None:
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        model.save_pretrained(part)
        run.tokenizer.save_pretrained(part)
        (part / TRAINER_STATE).write_text(json.dumps(trainer_state(run), indent=2), "utf-8")
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def trainer_state(run: TrainingRun[Any]) -> dict[str, Any]:
    """The curve up to here in the words of transformers' Trainer, so that others read it too."""
    rows = run.curve.rows
    return {
        "best_metric": None,
        "best_model_checkpoint": None,
        "epoch": 0.0,
        "eval_steps": 0,
        "global_step": run.step,
        "is_hyper_param_search": False,
        "is_local_process_zero": True,
        "is_world_process_zero": True,
        "log_history": [_logged(row) for row in rows],
        "logging_steps": run.curve.every,
        "max_steps": run.steps,
        "num_input_tokens_seen": int(run.totals.get("tokens", 0)),
        "num_train_epochs": 1,
        "save_steps": 0,
        "total_flos": 2 * run.totals.get("multiply_adds", 0.0),
        "train_batch_size": run.recipe.schedule.examples,
        "trial_name": None,
        "trial_params": None,
    }


def _logged(row: dict[str, float]) -> dict[str, float]:
    """A row of the curve; its loss is all losses together."""
    losses = [value for name, value in row.items() if name.startswith("loss")]
    renamed = {"rate": "learning_rate", "gradient_norm": "grad_norm"}
    rest = {renamed.get(name, name): value for name, value in row.items()}
    return {**rest, "loss": sum(losses), "epoch": 0.0, "step": int(row["step"])}
