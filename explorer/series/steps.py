"""Steps of training as people name them: `checkpoint-500`, `step1000`, `step_20k`, 100-1000."""

import re
from collections.abc import Sequence

from explorer.api.errors import UserMistake
from explorer.text import N_

ALL = "all"
NAMED_STEPS = 12
"""How many steps a message names."""

_STEP = re.compile(
    r"(?:^|[^a-z])(?:global_?)?(?:steps?|checkpoint|ckpt|iter)[-_]?(\d{1,12})([km])?(?![0-9a-z])",
    re.ASCII | re.IGNORECASE,
)
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000}
_RANGE = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?", re.ASCII)


def step_of(name: str) -> int | None:
    """The step that a folder, branch or tag is of; None where its name says none.

    As transformers' Trainer names folders (checkpoint-500), and as Pythia (step1000), OLMo
    (step1000-tokens4B) and MultiBERTs (step_20k) name branches.
    """
    found = _STEP.search(name)
    return int(found[1]) * _TIMES[(found[2] or "").lower()] if found else None


def chosen(text: str, known: Sequence[int]) -> tuple[int, ...]:
    """The steps that somebody typed, in their order: all, or 10,100,1000-4000.

    Args:
        text: What was typed. Between two steps are those of the series that lie between them.
        known: The steps that there are.

    Raises:
        UserMistake: It is none of that, or there is no such step.
    """
    if text.strip().lower() == ALL:
        return tuple(sorted(known))
    wanted: set[int] = set()
    for part in text.split(","):
        found = _RANGE.fullmatch(part.strip())
        if found is None:
            raise UserMistake(
                N_("{text} names no steps."),
                N_("Steps are typed as all, or as in 10,100,1000-4000."),
                text=text,
            )
        first, last = int(found[1]), int(found[2] or found[1])
        inside = {step for step in known if first <= step <= last}
        if not inside:
            raise no_step(part.strip(), known)
        wanted |= inside
    return tuple(sorted(wanted))


def no_step(text: str, known: Sequence[int]) -> UserMistake:
    """The mistake of who names a step that was not kept."""
    shown = [*map(str, sorted(known))]
    if len(shown) > NAMED_STEPS:
        shown = [*shown[: NAMED_STEPS - 1], "…", shown[-1]]
    return UserMistake(
        N_("There is no step {text} in this series."),
        N_("Its steps are {steps}."),
        text=text,
        steps=", ".join(shown),
    )
