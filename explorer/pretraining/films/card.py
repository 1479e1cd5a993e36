"""The card of a film: what was trained, how its frames are stored, what they came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, Final

from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.beginning import numbers_of
from explorer.learning.runs.model_card import planned_rows
from explorer.learning.tuning.plan import TuningPlan
from explorer.pretraining.films.measuring import StoredFrame
from explorer.pretraining.films.recipes import FilmRecipe

TEMPLATE: Final = """---
language: en
license: mit
pipeline_tag: {task}
---

# {name}

{about}

| | |
|---|---|
{rows}
| Training | {time} by the clock, in one thread |
| Size | {megabytes:.1f} MB in all |

## How it learnt

{learnt}

## How it is stored

`model.rows.safetensors` has each tensor of two dimensions as whole numbers, and a float32 scale
for each row (`NAME.row_scale`); vectors are float32. Frames are stored in 8 bits where no
probability of {asked_for} moves by more than 0.001 against the float32 weights that were
trained, and else in 16 bits: eight bits by row move some of a trained frame by up to {eight:.3f}.
{moved}

| step | bits | moved | KL |
|---|---|---|---|
{stored}

transformers does not read these files; explorer.open("{name}", step={step}) does.

## How to make it again

```
{command}
```

The seed is fixed, so that text, tokenizer, order and masks come out the same; weights do too on the
same processor and version of torch. `film.json` has the plan and the hash of each frame's weights
as they were trained, `curve.jsonl` the training curve, `measured.jsonl` what each frame came to.
{own}"""


MOVED: Final = """\
Moved is the largest change of any of {pieces:,} probabilities {at}, and KL the largest divergence
there in nats."""
AT_MASKS: Final = "at each of {asked} masks in held-out texts"
WIDTH: Final = 100


@dataclass(frozen=True)
class TellingOfAFilm:
    """What a card says of a kind of film.

    Attributes:
        about: What it is a film of.
        learnt: Above the table of what frames came to.
        columns: Of that table, as `table` has them.
    """

    about: str
    learnt: str
    columns: Mapping[str, tuple[str, str]]


SMALLEST: Final = """\
the text of the smallest of the program's worlds, which a grammar writes: people cook, plant and
paint, and say so in two or three sentences. It answers about that world and nothing else, and is
there to be looked into offline, frame by frame."""
_BESIDE_THE_FLOOR: Final = """\
Measured at {places} places of texts that are in no training text, beside the exact floor: because
the grammar is known, so is the distribution of every masked piece given the rest. Excess is what is
left to learn, the mean divergence from it in nats. One run is one seed."""
_EXCESS: Final = {
    "loss": ("loss", ".3f"),
    "floor": ("floor", ".3f"),
    "excess": ("excess", ".3f"),
    "right": ("accuracy", ".1%"),
    "best possible": ("best_accuracy", ".1%"),
}
TOLD: Final[Mapping[str, TellingOfAFilm]] = {
    "train": TellingOfAFilm(
        """\
A film of a BERT that learns: {parameters:,} parameters at {count} steps of one run, from fresh
weights to the end. It was trained on the text of a small world that a grammar writes: jobs, tools,
places, films, people, days, numbers, opposites. It answers about that world and nothing else, and
is there to be looked into offline, frame by frame.""",
        _BESIDE_THE_FLOOR,
        _EXCESS,
    ),
    "distil": TellingOfAFilm(
        """\
A film of a student: a BERT of {parameters:,} parameters at {count} steps of its training by the
targets below, from fresh weights to the end. Its teacher, or who lends it pieces, is
{teacher}. It reads {smallest}""",
        f"""{_BESIDE_THE_FLOOR} KL is the student's mean
divergence from the teacher at the same places, in nats, and the last column how often the teacher's
first piece is right.""",
        _EXCESS | {"KL": ("to_teacher", ".3f"), "teacher right": ("teacher.accuracy", ".1%")},
    ),
    "tune": TellingOfAFilm(
        """\
A film of fine-tuning: {base} and a fresh head, {parameters:,} parameters and more at {count}
steps, while it learns to say which trade a text is about. It reads {smallest}""",
        """\
Measured at {texts} held-out texts: the mean cross-entropy in nats, and how often the likeliest
label is right, with the interval of that at 95 % (Wilson). One run is one seed.""",
        {
            "loss": ("loss", ".3f"),
            "right": ("accuracy", ".1%"),
            "at least": ("accuracy_low", ".1%"),
            "at most": ("accuracy_high", ".1%"),
        },
    ),
}
"""By the kind of plan."""


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
        asked: Masks or texts at which that was measured.
        pieces: In the vocabulary.
    """

    recipe: FilmRecipe
    frames: Sequence[StoredFrame]
    measured: Sequence[Mapping[str, Any]]
    seconds: float
    size: int
    eight_bits: float
    asked: int
    pieces: int


def card_of(card: FilmCard) -> str:
    """README.md."""
    recipe, plan = card.recipe, card.recipe.plan
    kept = {one.step for one in card.frames}
    told = TOLD[plan.kind]
    learnt = [row for row in card.measured if row["step"] in kept]
    labels = len(plan.texts.names) if isinstance(plan, TuningPlan) else 0
    about = (recipe.about or told.about).format(
        parameters=numbers_of(plan),
        count=len(card.frames),
        smallest=SMALLEST,
        **_names_in(plan),
    )
    at = f"of each of {card.asked} held-out texts" if labels else AT_MASKS.format(asked=card.asked)
    intro = told.learnt.format(
        places=learnt[-1].get("places"), texts=learnt[-1].get("texts"), **_names_in(plan)
    )
    return TEMPLATE.format(
        name=recipe.name,
        task="text-classification" if labels else "fill-mask",
        about=fill(about, WIDTH),
        rows="\n".join(f"| {name} | {value} |" for name, value in planned_rows(plan)),
        time=f"{minutes:.0f} minutes" if (minutes := card.seconds / 60) > 2 else "a minute",
        megabytes=card.size / 1e6,
        learnt="\n".join((fill(intro, WIDTH), "", *table(learnt, told.columns))),
        eight=card.eight_bits,
        asked_for="a label" if labels else "a masked piece",
        moved=fill(MOVED.format(pieces=labels or card.pieces, at=at), WIDTH),
        stored="\n".join(
            f"| {one.step:,} | {one.bits} | {one.error.largest:.1e} | {one.error.divergence:.1e} |"
            for one in card.frames
        ),
        step=recipe.steps[len(recipe.steps) // 2],
        command=f"python -m explorer.pretraining.films {recipe.name}",
        own=recipe.own,
    )


def _names_in(plan: RunPlan) -> dict[str, str]:
    """The models that a plan names."""
    return {name: getattr(plan, name, "") for name in ("teacher", "base")}


def table(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, tuple[str, str]]
) -> Iterator[str]:
    """Measured rows as a table.

    Args:
        rows: By what was measured; a teacher's own measures are under "teacher".
        columns: Their titles, each with what it has and how that is written.
    """
    yield f"| step | {' | '.join(columns)} |"
    yield f"|---{'|---' * len(columns)}|"
    for row in rows:
        cells = (f"{_found(row, name):{written}}" for name, written in columns.values())
        yield f"| {row['step']:,} | {' | '.join(cells)} |"


def _found(row: Mapping[str, Any], name: str) -> Any:
    of, _, rest = name.rpartition(".")
    return row[of][rest] if of else row[rest]
