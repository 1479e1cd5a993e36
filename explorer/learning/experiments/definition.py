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

    [[published]]
    measure = "SQuAD 2.0 F1"
    source = "Liu et al. 2019, table 1"
    date = "2019-07"
    values = {static = 78.3, dynamic = 78.7}

A claim that would hold without the idea is no claim: two ways that are set against each other
differ, and in nothing but what varies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from explorer.api.errors import UserMistake
from explorer.files.foreign import Unfit, clause_of, read_bytes, toml_of
from explorer.learning.experiments.measures import MEASURES
from explorer.paths import own_resources
from explorer.text import N_

COMMAND: Final = "python -m explorer.learning.experiments"
MOST_BYTES: Final = 100_000
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
        published: What papers printed.
        measured_in: Which comparison of another command has its results, of `MEASURED_IN`; "" for
            none.
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
    published: tuple[PublishedWays, ...] = field(default=())
    measured_in: str = ""

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


def read_experiment(path: Path) -> Experiment:
    """A definition, checked.

    Raises:
        UserMistake: It is no definition; what is wrong is said in one sentence.
    """
    try:
        said = toml_of(read_bytes(path, MOST_BYTES).decode("utf-8"))
    except OSError as error:
        raise UserMistake(
            N_("{file} can't be read: {reason}."), file=path.name, reason=error.strerror
        ) from None
    except ValueError as error:
        why = clause_of(error) if isinstance(error, Unfit) else str(error)
        raise UserMistake(
            N_("{file} can't be read: {reason}."), file=path.name, reason=why
        ) from None
    return _Reading(path.name).experiment(path.stem, said)


class _Reading:
    """Takes a file apart, and says what is wrong with it."""

    def __init__(self, file: str) -> None:
        self.file = file

    def experiment(self, name: str, said: Mapping[str, Any]) -> Experiment:
        required = ("title", "claim", "source", "about", "cannot", "measure", "varies", "seeds")
        tables = ("ways", "predicts", "short")
        self._keys(
            said, (*required, *tables), ("also", "equal", "plan", "published", "measured_in"), ""
        )
        full = ExperimentForm(self._seeds(said["seeds"]), self._table(said.get("plan", {}), "plan"))
        found = Experiment(
            name=name,
            **{key: self._text(said[key], key) for key in required[:5]},
            measure=self._measure(said["measure"]),
            also=tuple(map(self._measure, self._texts(said.get("also", []), "also"))),
            varies=tuple(self._texts(said["varies"], "varies")),
            equal=self._one_of(said.get("equal", "steps"), EQUALS, "equal"),
            full=full,
            short=self._short(said["short"], full),
            ways=tuple(map(self._way, self._tables(said["ways"], "ways"))),
            foretold=tuple(
                self._foretold(one, str(said["measure"]))
                for one in self._tables(said["predicts"], "predicts")
            ),
            published=tuple(
                map(self._published, self._tables(said.get("published", []), "published"))
            ),
            measured_in=self._one_of(said["measured_in"], tuple(MEASURED_IN), "measured_in")
            if "measured_in" in said
            else "",
        )
        self._agree(found)
        return found

    def _short(self, said: Any, full: ExperimentForm) -> ExperimentForm:
        table = dict(self._table(said, "short"))
        seeds = self._seeds(table.pop("seeds", full.seeds))
        return ExperimentForm(seeds, {**full.plan, **table})

    def _way(self, said: Mapping[str, Any]) -> ExperimentWay:
        self._keys(said, ("name", "title", "plan"), ("equal", "at"), "ways")
        equal = self._one_of(said["equal"], EQUALS, "equal") if "equal" in said else ""
        at = self._number(said["at"], "at") if "at" in said else None
        name, title = (self._text(said[key], key) for key in ("name", "title"))
        return ExperimentWay(name, title, self._table(said["plan"], "plan"), equal, at)

    def _foretold(self, said: Mapping[str, Any], measure: str) -> Foretold:
        if "alike" in said:
            self._keys(said, ("alike", "than", "within"), ("measure",), "predicts")
            within = self._number(said["within"], "within")
        else:
            self._keys(said, ("better", "than"), ("measure",), "predicts")
            within = None
        way, than = (
            self._text(said.get(key, said.get("alike")), key) for key in ("better", "than")
        )
        return Foretold(way, than, self._measure(said.get("measure", measure)), within)

    def _published(self, said: Mapping[str, Any]) -> PublishedWays:
        self._keys(said, ("measure", "source", "date", "values"), ("ways",), "published")
        measure, source, date = (
            self._text(said[key], key) for key in ("measure", "source", "date")
        )
        values = self._table(said["values"], "values")
        numbers = {way: self._number(value, "values") for way, value in values.items()}
        titles = {}
        for way in self._tables(said.get("ways", []), "published.ways"):
            self._keys(way, ("name", "title"), (), "published.ways")
            titles[self._text(way["name"], "name")] = self._text(way["title"], "title")
        return PublishedWays(measure, source, date, numbers, titles)

    def _agree(self, found: Experiment) -> None:
        """What each part names is there, and what is set against each other may differ so."""
        names = [way.name for way in found.ways]
        if len({*names}) < max(2, len(names)):
            raise self._wrong(N_("{file} needs two ways or more, each with a name of its own."))
        if not found.foretold:
            raise self._wrong(N_("{file} has no “predicts”: a claim says which way is better."))
        named = [name for one in found.foretold for name in (one.way, one.than)]
        named += [name for one in found.published for name in (*one.values, *one.titles)]
        for name in named:
            if name not in names:
                raise self._wrong(N_("{file} knows no way “{way}”."), way=name)
        for one in found.foretold:
            if one.measure not in found.measures:
                raise self._wrong(
                    N_("{file} predicts “{measure}”, which is not measured."), measure=one.measure
                )
            self._differ(found, found.way(one.way), found.way(one.than))

    def _differ(self, found: Experiment, one: ExperimentWay, other: ExperimentWay) -> None:
        different = {
            key for key in (*one.plan, *other.plan) if one.plan.get(key) != other.plan.get(key)
        }
        same = [way.equal or found.equal for way in (one, other)]
        if not different and same[0] == same[1]:
            raise self._wrong(
                N_(
                    "{file}: “{way}” and “{other}” are trained alike, so nothing follows from them."
                ),
                way=one.name,
                other=other.name,
            )
        beyond = sorted(different - {*found.varies})
        if beyond:
            raise self._wrong(
                N_("{file}: “{way}” and “{other}” differ in “{key}”, which “varies” leaves out."),
                way=one.name,
                other=other.name,
                key=beyond[0],
            )

    def _keys(
        self, said: Mapping[str, Any], required: Sequence[str], others: Sequence[str], where: str
    ) -> None:
        for key in required:
            if key not in said:
                raise self._wrong(N_("{file} lacks “{key}”."), key=_path(where, key))
        for key in said:
            if key not in (*required, *others):
                raise self._wrong(
                    N_("{file} has “{key}”, which means nothing."), key=_path(where, key)
                )

    def _seeds(self, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < LEAST_SEEDS:
            raise self._wrong(
                N_("{file} needs {least} seeds or more: of fewer nothing can be said."),
                least=LEAST_SEEDS,
            )
        return value

    def _measure(self, value: Any) -> str:
        return self._one_of(value, tuple(MEASURES), "measure")

    def _one_of(self, value: Any, known: Sequence[str], key: str) -> str:
        if value not in known:
            raise self._wrong(
                N_("{file}: “{key}” is none of {known}."), key=key, known=", ".join(known)
            )
        return str(value)

    def _text(self, value: Any, key: str) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self._wrong(N_("{file}: “{key}” is no text."), key=key)
        return value

    def _texts(self, value: Any, key: str) -> Iterator[str]:
        if not isinstance(value, list):
            raise self._wrong(N_("{file}: “{key}” is no list."), key=key)
        return (self._text(one, key) for one in value)

    def _number(self, value: Any, key: str) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self._wrong(N_("{file}: “{key}” is no number."), key=key)
        return float(value)

    def _table(self, value: Any, key: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(N_("{file}: “{key}” is no table."), key=key)
        return value

    def _tables(self, value: Any, key: str) -> Iterator[Mapping[str, Any]]:
        if not isinstance(value, list):
            raise self._wrong(N_("{file}: “{key}” is no list."), key=key)
        return (self._table(one, key) for one in value)

    def _wrong(self, sentence: str, **values: object) -> UserMistake:
        return UserMistake(sentence, file=self.file, **values)


def _path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
