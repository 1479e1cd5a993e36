"""A claim about training, as one file says it: what varies, what is measured, what would follow.

A definition is ``resources/experiments/NAME.toml``::

    title = "Static or dynamic masks"
    claim = "Masks that are drawn anew each time teach more than the same masks again and again."
    source = "Liu et al. 2019, section 4.1"
    about = "What is done here."
    cannot = "What the small world cannot show."
    measure = "excess"          # of `measures.MEASURES`; `also` names further ones
    varies = ["static"]         # fields of the plan in which ways may differ
    equal = "steps"             # "steps", "tokens" or "multiply-adds", as the first way has them
    seeds = 5

    [plan]                      # fields of the training plan that all ways share
    preset = "small"

    [short]                     # what is otherwise in the short form; fewer seeds and steps
    seeds = 3
    steps = 300

    [[ways]]
    name = "static"
    title = "the same masks"
    plan = {static = true}

    [[predicts]]                # what would be so if the claim is true, and not without its idea
    better = "dynamic"
    than = "static"

    [control]                   # the same where the claim must fail, from three seeds
    title = "no pattern comes twice"
    why = "Ten patterns are as good as new ones where no text is read more than ten times."
    plan = {documents = 6400}   # of all ways; `ways` has what is one way's own

    [[published]]
    measure = "SQuAD 2.0 F1"
    source = "Liu et al. 2019, table 1"
    date = "2019-07"
    values = {static = 78.3, dynamic = 78.7}

A claim that would hold without the idea is no claim: two ways that are set against each other
differ, and in nothing but what varies; and where the idea has nothing to work on, as in the
control, the same must not come out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Final

from explorer.learning.plan.kinds import KINDS
from explorer.learning.plan.plan import TrainingPlan
from explorer.paths import own_resources

COMMAND: Final = "python -m explorer.learning.experiments"
LEAST_SEEDS: Final = 3
"""Of fewer nothing can be said."""
EQUALS: Final = ("steps", "tokens", "multiply-adds")
MEASURED_IN: Final[Mapping[str, str]] = {
    "pair_objectives": "python -m explorer.pretraining.pair_objectives",
    "full_sentences": "python -m explorer.pretraining.pair_objectives.packed",
}
"""Comparisons that have a command and a file of their own."""


@dataclass(frozen=True, slots=True)
class ExperimentWay:
    """One way to train.

    Attributes:
        name: In files.
        title: What people read, marked for translation.
        plan: Fields of the training plan that are its own.
        equal: What it has as much of as the first way; "" for what the experiment says.
        at: Where it stands on a scale, as a number of parameters; None where ways have no scale.
    """

    name: str
    title: str
    plan: Mapping[str, Any]
    equal: str = ""
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a claim says of two ways.

    Attributes:
        way: The better one, or one of two that are alike.
        than: The other one.
        measure: Of what.
        within: Two are alike where their difference is smaller than this; None for better.
    """

    way: str
    than: str
    measure: str
    within: float | None = None


@dataclass(frozen=True, slots=True)
class PublishedWays:
    """What a paper printed of the ways.

    Attributes:
        measure: As it calls it: "SQuAD 2.0 F1".
        source: The paper and its table, marked where nobody has looked it up.
        date: When it was published, as 2019-07.
        values: By the way's name.
        titles: What the paper did there, by the way's name, where that is something else than the
            way is called: a hundred thousand steps, and not a hundred.
    """

    measure: str
    source: str
    date: str
    values: Mapping[str, float]
    titles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExperimentForm:
    """How much is run.

    Attributes:
        seeds: Of every way, from 0 on.
        plan: Fields of the training plan that all ways share.
    """

    seeds: int
    plan: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExperimentControl:
    """The same ways where the claim must fail.

    Attributes:
        title: What is otherwise, marked for translation.
        why: Why the claim must fail then, in a sentence, marked for translation.
        plan: Fields of the training plan that are otherwise in all ways.
        ways: Those that are otherwise in one way, by its name.
    """

    title: str
    why: str
    plan: Mapping[str, Any]
    ways: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def of(self, way: str) -> dict[str, Any]:
        """All that is otherwise in a way."""
        return {**self.plan, **self.ways.get(way, {})}


@dataclass(frozen=True, slots=True)
class Experiment:
    """A claim, and how it is tried; as its file says it.

    Attributes:
        name: Of the file.
        title: A few words, marked for translation as all that is read.
        claim: In one sentence.
        source: Who claims it, and where.
        about: What is done here.
        cannot: What the small world cannot show of it.
        measure: What is measured first.
        also: What is measured besides.
        varies: Fields of the plan in which ways may differ.
        equal: What all ways have as much of as the first.
        full: The whole experiment.
        short: One of a few minutes.
        ways: The first is what others are set beside.
        foretold: What the claim would lead to.
        control: Where it must fail; None where the runs are another command's.
        published: What papers printed.
        measured_in: Which comparison of another command has its results, of `MEASURED_IN`; "" for
            none.
        kind: Of the plans, of `KINDS`.
    """

    name: str
    title: str
    claim: str
    source: str
    about: str
    cannot: str
    measure: str
    also: tuple[str, ...]
    varies: tuple[str, ...]
    equal: str
    full: ExperimentForm
    short: ExperimentForm
    ways: tuple[ExperimentWay, ...]
    foretold: tuple[Foretold, ...]
    control: ExperimentControl | None = None
    published: tuple[PublishedWays, ...] = ()
    measured_in: str = ""
    kind: str = TrainingPlan.kind

    @property
    def measures(self) -> tuple[str, ...]:
        """All that is measured, what comes first at its beginning."""
        return (self.measure, *self.also)

    def way(self, name: str) -> ExperimentWay:
        """The way of a name."""
        return next(one for one in self.ways if one.name == name)

    @property
    def command(self) -> str:
        """What tries the claim, in its short form where it has one."""
        return MEASURED_IN.get(self.measured_in) or command_of(self.name, short=True)

    @property
    def is_planned(self) -> bool:
        """Whether its ways are plans, so that its short form can be run here."""
        known = {one.name for one in fields(KINDS[self.kind])}  # type: ignore[arg-type]
        return all({*one.plan} <= known for one in self.ways)

    def form(self, *, short: bool) -> ExperimentForm:
        """How much is run."""
        return self.short if short else self.full


def bundled_experiments() -> Path:
    """The folder of the definitions that come with the program, and of their results."""
    return own_resources() / "experiments"


@cache
def experiment_names() -> tuple[str, ...]:
    """The names of the bundled experiments."""
    return tuple(sorted(path.stem for path in bundled_experiments().glob("*.toml")))


def command_of(name: str, *, short: bool) -> str:
    """What makes the results of an experiment."""
    return f"{COMMAND} {name}{' --short' if short else ''}"
