"""The training loop: AdamW, cycles of warm-up and cosine, checkpoints that continue exactly."""

from __future__ import annotations

import bisect
import hashlib
import json
import math
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.devices import moved
from explorer.learning.recipe import Recipe, Schedule

Trained = TypeVar("Trained", bound=Recipe)


class CheckpointError(RuntimeError):
    """A training checkpoint does not fit the run."""


@dataclass(slots=True)
class TrainingCurve:
    """What was measured while training: a row of means for every so many steps.

    Attributes:
        every: steps a row.
        rows: ``step`` (the last one) and the mean of each measurement.
        pending: measurements of the row that is not full yet.
    """

    every: int
    rows: list[dict[str, float]] = field(default_factory=list)
    pending: list[dict[str, float]] = field(default_factory=list)

    def add(self, step: int, values: Mapping[str, float]) -> dict[str, float] | None:
        """Note one step; returns the new row when one is full."""
        self.pending.append(dict(values))
        if step % self.every:
            return None
        # A batch without pairs measures nothing of them.
        names = list(dict.fromkeys(name for values in self.pending for name in values))
        row = {"step": float(step)}
        for name in names:
            known = [values[name] for values in self.pending if name in values]
            row[name] = round(math.fsum(known) / len(known), 4)
        self.rows.append(row)
        self.pending.clear()
        return row


def rate(schedule: Schedule, steps: int, step: int) -> float:
    """Learning rate at a step of a run of so many steps.

    Cycles keep their shares when a run is longer or shorter than the schedule.
    """
    cycles = ((0, schedule.peak_rate), *schedule.restarts)
    starts = [round(start * steps / schedule.steps) for start, _ in cycles]
    cycle = bisect.bisect_right(starts, step) - 1
    length = (*starts, steps)[cycle + 1] - starts[cycle]
    place, peak = step - starts[cycle], cycles[cycle][1]
    warm = max(1, round(schedule.warmup * length))
    if place < warm:
        return peak * (place + 1) / warm
    return peak * 0.5 * (1.0 + math.cos(math.pi * (place - warm) / max(1, length - warm)))


def make_optimizer(
    model: Any, schedule: Schedule, scales: Mapping[str, float] | None = None
) -> Any:
    """AdamW without decay for biases and layer norms, as BERT was trained.

    Args:
        model: what is trained.
        schedule: rates.
        scales: what the learning rate of some weights is multiplied by, for names that hold a text.
    """
    import torch

    scales = scales or {}
    named = [
        (next((part for part in scales if part in name), ""), p)
        for name, p in model.named_parameters()
        if p.requires_grad
    ]
    plain = [p for part, p in named if not part and p.ndim < 2]
    decayed = [p for part, p in named if not part and p.ndim >= 2]
    groups = [
        {"params": decayed, "weight_decay": schedule.weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]
    groups += [
        {"params": [p for own, p in named if own == part], "weight_decay": 0.0, "scale": scale}
        for part, scale in scales.items()
    ]
    return torch.optim.AdamW(groups, lr=schedule.peak_rate, betas=schedule.betas, eps=1e-6)


def fingerprint(tokenizer: Any) -> str:
    """A short hash of a tokenizer's vocabulary: weights mean nothing with another one."""
    vocabulary = json.dumps(sorted(tokenizer.get_vocab().items()))
    return hashlib.sha256(vocabulary.encode()).hexdigest()[:16]


@dataclass(slots=True)
class TrainingRun(Generic[Trained]):
    """A training run under way.

    Attributes:
        vocabulary: fingerprint of the tokenizer's.
        tokenizer: what its texts are cut with, where somebody writes it beside the weights.
        checkpoint: where its state is kept; None for nowhere.
        step: steps that were trained.
        totals: what somebody sums up over its steps, kept with its state.
        batch: that of the last step.
        loss: what was trained at the last step, all losses together.
        gradient_norm: the gradient's at the last step, before it was clipped.
    """

    recipe: Trained
    model: Any
    batches: TrainingBatches
    steps: int
    seed: int
    vocabulary: str = ""
    checkpoint: Path | None = None
    step: int = 0
    curve: TrainingCurve = field(default_factory=lambda: TrainingCurve(every=50))
    seconds: float = 0.0
    optimizer: Any = None
    tokenizer: Any = None
    totals: dict[str, float] = field(default_factory=dict)
    batch: Mapping[str, Any] = field(default_factory=dict)
    loss: float = 0.0
    gradient_norm: float = 0.0

    def __post_init__(self) -> None:
        # Before there is an optimizer, whose numbers lie where the weights do.
        self.model = self.model.to(self.recipe.device)
        self.optimizer = make_optimizer(self.model, self.recipe.schedule, self.recipe.rate_scales)

    def advance(self) -> dict[str, float]:
        """One step of training. Returns what was measured."""
        import torch

        schedule = self.recipe.schedule
        for group in self.optimizer.param_groups:
            group["lr"] = rate(schedule, self.steps, self.step) * group.get("scale", 1.0)
        # Dropout, where a recipe uses it, must repeat when a run is continued.
        torch.manual_seed(self.seed * 1_000_003 + self.step)
        self.model.train()
        self.batch = moved(self.batches.batch(self.step), self.recipe.device)
        measured = self.recipe.losses(self.model, self.batch)
        loss = sum(value for name, value in measured.items() if name.startswith("loss"))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), schedule.clip)
        self.optimizer.step()
        self.step += 1
        self.loss, self.gradient_norm = float(loss.detach()), float(norm)
        return {name: float(value.detach()) for name, value in measured.items()}

    def train(
        self, until: int | None = None, save_every: int = 500, between: Between | None = None
    ) -> None:
        """Train up to a step, saving now and then where there is a checkpoint.

        Args:
            until: the step; the end if not given.
            save_every: steps after which the state is kept.
            between: what is done after each step; by default the time left is told on stderr.
        """
        until = self.steps if until is None else min(until, self.steps)
        between, goes_on = between or report, True
        while goes_on and self.step < until:
            started = time.perf_counter()
            row = self.curve.add(self.step + 1, self.advance())
            self.seconds += time.perf_counter() - started
            goes_on = between(self, row) is not False
            if self.checkpoint and (self.step % save_every == 0 or self.step == until):
                self.save()

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        import torch

        if self.checkpoint is None:
            raise CheckpointError("This run was given no checkpoint file. Name one.")
        state = {
            "recipe": self.recipe.name,
            "steps": self.steps,
            "seed": self.seed,
            "vocabulary": self.vocabulary,
            "step": self.step,
            "seconds": self.seconds,
            "rows": self.curve.rows,
            "pending": self.curve.pending,
            "totals": self.totals,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        partial = self.checkpoint.with_suffix(".partial")
        try:
            with partial.open("wb") as file:
                torch.save(state, file)
                file.flush()
                # A machine that loses its power must not be left with a name and no content.
                os.fsync(file.fileno())
            partial.replace(self.checkpoint)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise

    def resume(self) -> None:
        """Continue from the checkpoint.

        Raises:
            CheckpointError: there is none, or it belongs to another run.
        """
        import torch

        if self.checkpoint is None or not self.checkpoint.is_file():
            raise CheckpointError(
                f"No checkpoint at {self.checkpoint}. Start without --resume first."
            )
        state = torch.load(self.checkpoint, map_location="cpu", weights_only=True)
        for name, own in (
            ("recipe", self.recipe.name),
            ("steps", self.steps),
            ("seed", self.seed),
            ("vocabulary", self.vocabulary),
        ):
            if state[name] != own:
                raise CheckpointError(
                    f"The checkpoint's {name} is {state[name]}, this run's is {own}."
                    f" Give the same {name} to continue it."
                )
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds = state["step"], state["seconds"]
        self.curve.rows, self.curve.pending = state["rows"], state["pending"]
        self.totals = state.get("totals", {})


Between = Callable[[TrainingRun[Any], Mapping[str, float] | None], bool | None]
"""What is done after a step: it is given the run, and a row of the curve where one is full. False
ends the training there."""


def report(run: TrainingRun[Any], row: Mapping[str, float] | None) -> None:
    """Tell a row of the curve and the time left on standard error."""
    if row is None:
        return
    left = run.seconds / run.step * (run.steps - run.step)
    shown = "  ".join(f"{name} {value:.3f}" for name, value in row.items() if name != "step")
    print(
        f"step {run.step}/{run.steps}  {shown}  {left / 60:.1f} min left",
        file=sys.stderr,
        flush=True,
    )
