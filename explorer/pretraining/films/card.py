"""The card of a film: what was trained, how its frames are stored, what they came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from explorer.learning.plan.cost import cost_of
from explorer.learning.runs.model_card import planned_rows
from explorer.pretraining.films.measuring import StoredFrame
from explorer.pretraining.films.recipes import FilmRecipe

TEMPLATE: Final = """---
language: en
license: mit
pipeline_tag: fill-mask
---

# {name}

A film of a BERT that learns: {parameters:,} parameters at {count} steps of one run, from fresh
weights to the end. It was trained on the text of a small world that a grammar writes: jobs, tools,
places, films, people, days, numbers, opposites. It answers about that world and nothing else, and
is there to be looked into offline, frame by frame.

| | |
|---|---|
{rows}
| Training | {minutes:.0f} minutes by the clock, in one thread |
| Size | {megabytes:.1f} MB in all |

## How it learnt

Measured at {places} places of texts that are in no training text, beside the exact floor: because
the grammar is known, so is the distribution of every masked piece given the rest. Excess is what is
left to learn, the mean divergence from it in nats. One run is one seed.

| step | loss | floor | excess | right | best possible |
|---|---|---|---|---|---|
{learnt}

## How it is stored

`model.rows.safetensors` has each tensor of two dimensions as whole numbers, and a float32 scale
for each row (`NAME.row_scale`); vectors are float32. Frames are stored in 8 bits where no
probability of a masked piece moves by more than 0.001 against the float32 weights that were
trained, and else in 16 bits: eight bits by row move some of a trained frame by up to {eight:.3f}.
Moved is the largest change of any of {pieces:,} probabilities at each of {asked} masks in held-out
texts, and KL the largest divergence there in nats.

| step | bits | moved | KL |
|---|---|---|---|
{stored}

transformers does not read these files; explorer.open("{name}", step=512) does.

## How to make it again

```
{command}
```

The seed is fixed, so that text, tokenizer, order and masks come out the same; weights do too on the
same processor and version of torch. `film.json` has the plan and the hash of each frame's weights
as they were trained, `curve.jsonl` the training curve, `measured.jsonl` what each frame came to.
In the program, Train with the plan "film" makes the same film as a run of your own.
"""


@dataclass(frozen=True)
class FilmCard:
    """What a card tells.

    Attributes:
        recipe: Of the film.
        frames: As they are stored.
        measured: Rows of what frames came to, by step.
        seconds: That it was trained for.
        size: Bytes of all its files.
        eight_bits: The largest change of a probability in a frame, were it stored in 8 bits.
        asked: Masks at which that was measured.
    """

    recipe: FilmRecipe
    frames: Sequence[StoredFrame]
    measured: Sequence[Mapping[str, Any]]
    seconds: float
    size: int
    eight_bits: float
    asked: int


def card_of(card: FilmCard) -> str:
    """README.md."""
    plan = card.recipe.plan
    kept = {one.step for one in card.frames}
    learnt = [row for row in card.measured if row["step"] in kept]
    return TEMPLATE.format(
        name=card.recipe.name,
        parameters=cost_of(plan).parameters,
        count=len(card.frames),
        rows="\n".join(f"| {name} | {value} |" for name, value in planned_rows(plan)),
        minutes=card.seconds / 60,
        megabytes=card.size / 1e6,
        places=learnt[-1]["places"],
        learnt="\n".join(_learnt(row) for row in learnt),
        eight=card.eight_bits,
        pieces=plan.vocabulary,
        asked=card.asked,
        stored="\n".join(
            f"| {one.step:,} | {one.bits} | {one.error.largest:.1e} | {one.error.divergence:.1e} |"
            for one in card.frames
        ),
        command=f"python -m explorer.pretraining.films {card.recipe.name}",
    )


def _learnt(row: Mapping[str, Any]) -> str:
    return (
        f"| {row['step']:,} | {row['loss']:.3f} | {row['floor']:.3f} | {row['excess']:.3f} |"
        f" {row['accuracy']:.1%} | {row['best_accuracy']:.1%} |"
    )
