"""Trains a lens: of each layer, the map through which the head says what it says of the last.

What is made small is KL(p_last || q_l) at sampled places (Belrose et al. 2023, section 3.1).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.api.question import Context, Direction, LayerReadout, LoadedModel, Predictor
from explorer.hf.predict.rows import rows_at_once
from explorer.questions.layers.reading import Through, as_it_is
from explorer.questions.layers.tuned_lens.lens import Lens
from explorer.questions.layers.tuned_lens.places import MEASURING, READING, states_at_places
from explorer.questions.layers.tuned_lens.question import LensTraining
from explorer.questions.layers.tuned_lens.texts import LensTexts
from explorer.text import N_

LEAST_LOG = -1e4
"""Where a piece can't be at all: what is multiplied by it stays a number."""


@dataclass(frozen=True)
class LensTrainingPlan:
    """How long and how fast a lens is trained.

    Attributes:
        steps: Of the optimiser.
        batch: Places of a step.
        rate: Of Adam at the first step; it falls to 0 along a line.
        decay: Pulls the maps to zero, where they change nothing.
        seed: Of places and batches.
    """

    steps: int = 300
    batch: int = 256
    rate: float = 3e-3
    decay: float = 1e-2
    seed: int = 0


def train(
    model: LoadedModel,
    texts: LensTexts,
    context: Context,
    plan: LensTrainingPlan = LensTrainingPlan(),
) -> Lens:
    """Train a lens of a model, and measure it on texts kept aside.

    Args:
        model: Whose layers; it stays as it is.
        texts: To train and to measure on.
        context: Can stop it between two steps.
        plan: How.

    Raises:
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled.
    """
    states = states_at_places(model, texts.training, plan.seed, READING, context)
    weights, biases, losses = fitted(model, states, plan, context)
    places = states.shape[1]
    del states
    aside = states_at_places(model, texts.held_out, plan.seed + 1, MEASURING, context)

    def through(some: Any, row: int) -> Any:
        return some + some @ weights[row].T + biases[row]

    tuned = measured(model, aside, through, context)
    logit = measured(model, aside, as_it_is, context)
    training = LensTraining(
        source=texts.source,
        texts=len(texts.training),
        places=places,
        is_masked=model.port(Predictor).direction is not Direction.CAUSAL,
        steps=plan.steps,
        batch=plan.batch,
        losses=losses,
        held_out=aside.shape[1],
        tuned=tuned.divergences,
        logit=logit.divergences,
        tuned_agreement=tuned.agreement,
        logit_agreement=logit.agreement,
    )
    return Lens(weights, biases, training)


def fitted(
    model: LoadedModel, states: Any, plan: LensTrainingPlan, context: Context
) -> tuple[Any, Any, tuple[float, ...]]:
    """Maps of all rows but the last.

    Args:
        model: Whose head reads.
        states: Tensor (rows x places x width).
        plan: How they are trained.
        context: Can stop it between two steps.

    Returns:
        Weights and biases, as `Lens` has them, and the mean loss of each step in nats.
    """
    import torch

    readout = model.port(LayerReadout)
    rows, places, width = states.shape
    draw = torch.Generator().manual_seed(plan.seed)
    options = {"device": states.device, "requires_grad": True}
    maps = [torch.zeros(width, width, **options) for _ in range(rows - 1)]
    shifts = [torch.zeros(width, **options) for _ in range(rows - 1)]
    adam = torch.optim.AdamW([*maps, *shifts], lr=plan.rate, weight_decay=plan.decay)
    fall = torch.optim.lr_scheduler.LambdaLR(adam, lambda step: 1 - step / max(1, plan.steps))
    losses = []
    for step in range(plan.steps):
        context.give_way()
        context.progress(N_("training the tuned lens"), float(step), float(plan.steps))
        drawn = torch.randint(places, (min(plan.batch, places),), generator=draw)
        some = states[:, drawn.to(states.device)]
        with torch.no_grad():
            last = readout.log_probabilities(some[-1])
        total = 0.0
        for row, (weight, shift) in enumerate(zip(maps, shifts, strict=True)):
            context.check()
            with torch.enable_grad():
                read = some[row] + some[row] @ weight.T + shift
                loss = divergence(last, readout.log_probabilities(read)).mean()
                # Gradients of these two alone: the model's own weights are lent.
                weight.grad, shift.grad = torch.autograd.grad(loss, (weight, shift))
            total += float(loss.detach())
        adam.step()
        fall.step()
        losses.append(total / max(1, rows - 1))
    if not maps:
        return states.new_zeros(0, width, width), states.new_zeros(0, width), tuple(losses)
    return torch.stack(maps).detach(), torch.stack(shifts).detach(), tuple(losses)


def divergence(last: Any, read: Any) -> Any:
    """KL(last || read) of each place, in nats, from log-probabilities."""
    last, read = last.clamp(min=LEAST_LOG), read.clamp(min=LEAST_LOG)
    return (last.exp() * (last - read)).sum(-1)


@dataclass(frozen=True)
class MeasuredLens:
    """What a lens says beside the last layer, of every row.

    Attributes:
        divergences: KL(last layer || lens), the mean over the positions, in nats.
        agreement: Share of the places where both have the same first piece.
    """

    divergences: tuple[float, ...]
    agreement: tuple[float, ...]


def measured(model: LoadedModel, states: Any, through: Through, context: Context) -> MeasuredLens:
    """Read every row through maps, and compare it with the last.

    Args:
        model: Whose head reads.
        states: Tensor (rows x places x width).
        through: From the states of a row to what is read; the last row is read as it is.
        context: Can stop it.
    """
    import torch

    log_probabilities: Callable[[Any], Any] = model.port(LayerReadout).log_probabilities
    rows, places, _ = states.shape
    nats, same = [0.0] * rows, [0] * rows
    block = rows_at_once(model)
    with torch.no_grad():
        for start in range(0, places, block):
            some = states[:, start : start + block]
            last = log_probabilities(some[-1])
            best = last.argmax(-1)
            same[-1] += len(best)
            for row in range(rows - 1):
                context.check()
                read = log_probabilities(through(some[row], row))
                nats[row] += float(divergence(last, read).cpu().double().sum())
                same[row] += int((read.argmax(-1) == best).sum())
    return MeasuredLens(
        tuple(max(0.0, one / places) for one in nats), tuple(one / places for one in same)
    )
