"""Reads a definition of an experiment from its file, and says what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.api.errors import UserMistake
from explorer.files.foreign import Unfit, clause_of, read_bytes, toml_of
from explorer.learning.experiments.definition import (
    EQUALS,
    LEAST_SEEDS,
    MEASURED_IN,
    Experiment,
    ExperimentControl,
    ExperimentForm,
    ExperimentWay,
    Foretold,
    PublishedWays,
)
from explorer.learning.experiments.measures import MEASURES
from explorer.learning.plan.kinds import KINDS
from explorer.learning.plan.plan import TrainingPlan
from explorer.text import N_

MOST_BYTES: Final = 100_000
OTHERS: Final = ("also", "equal", "kind", "plan", "published", "control", "measured_in")
"""What a definition may have besides what it needs."""


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
        self._keys(said, (*required, *tables), OTHERS, "")
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
            control=self._control(said["control"]) if "control" in said else None,
            published=tuple(
                map(self._published, self._tables(said.get("published", []), "published"))
            ),
            measured_in=self._one_of(said["measured_in"], tuple(MEASURED_IN), "measured_in")
            if "measured_in" in said
            else "",
            kind=self._one_of(said.get("kind", TrainingPlan.kind), tuple(KINDS), "kind"),
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

    def _control(self, said: Any) -> ExperimentControl:
        table = self._table(said, "control")
        self._keys(table, ("title", "why"), ("plan", "ways"), "control")
        title, why = (self._text(table[key], key) for key in ("title", "why"))
        ways = self._table(table.get("ways", {}), "control.ways")
        own = {way: self._table(plan, f"control.ways.{way}") for way, plan in ways.items()}
        return ExperimentControl(title, why, self._table(table.get("plan", {}), "plan"), own)

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
        named += [] if found.control is None else found.control.ways
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
