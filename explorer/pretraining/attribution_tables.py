"""Tables of the attribution benchmark: a row a method in both READMEs, all pairs in docs."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from explorer.numerics.evaluation.clustered_rates import rate_interval
from explorer.numerics.evaluation.paired_outcomes import holm, mcnemar
from explorer.paths import own_resources
from explorer.pretraining.tables_in_files import put_between
from explorer.questions.cause.attribution_benchmark.pairs import LEVEL, pairs_of
from explorer.questions.cause.attribution_benchmark.places import KnownPlace, every_place
from explorer.questions.cause.attribution_benchmark.recorded import Recorded
from explorer.questions.cause.attribution_benchmark.rules import RULES, rule_results
from explorer.questions.cause.attribution_benchmark.tested import WAYS, MethodVariant
from explorer.text import language

BEGIN: Final = "<!-- the attribution benchmark's table, made by its command -->"
END: Final = "<!-- the end of that table -->"
MEASURE: Final = "occlusion"
"""The method that all others are tested against."""

HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "README.md": (
        *("method", "right, %", "95 %", "mass, %", "rank corr.", "where they agree, %"),
        *("worst to best model, %", "models better / worse than occlusion"),
    ),
    "README.ko.md": (
        *("방법", "맞힌 곳, %", "95 %", "질량, %", "순위 상관", "일치하는 곳, %"),
        *("가장 낮은~높은 모델, %", "오클루전보다 나은 / 못한 모델"),
    ),
}
PAIRS_BEGIN: Final = "<!-- every pair of methods, made by the benchmark's command -->"
PAIRS_END: Final = "<!-- the end of the pairs -->"
PAIRS_IN: Final = Path("docs/methods.md")
LANGUAGES: Final = {"README.md": "en", "README.ko.md": "ko"}


@dataclass(frozen=True)
class MethodSummary:
    """What a method came to over all models.

    Attributes:
        way: Which.
        share: Of all places of all models at which it is right.
        low: Of the share, the lower end of the 95 % interval; a place is the cluster, for all
            models are tested at the same ones.
        high: The upper end.
        mass: The mean over the models; None of a rule that asks no model, which gives no scores.
        rank: Likewise.
        agreeing: Its share where model and world agree.
        least: The lowest share of a model.
        most: The highest.
        better: In how many models it is right more often than the method that all are tested
            against, by McNemar's test with Holm's correction over the models.
        worse: In how many it is less often right.
        models: In how many it can be had.
    """

    way: MethodVariant
    share: float
    low: float
    high: float
    mass: float | None
    rank: float | None
    agreeing: float
    least: float
    most: float
    better: int
    worse: int
    models: int


def summaries(models: Sequence[Recorded]) -> tuple[MethodSummary, ...]:
    """All methods and rules, the one that is right most often first."""
    ruled = [with_rules(one) for one in models]
    ways = (*WAYS, *RULES)
    found = [_summary(way, [one for one in ruled if way.name in one.hits]) for way in ways]
    return tuple(sorted(found, key=lambda one: -one.share))


def with_rules(one: Recorded) -> Recorded:
    """The same with a mark for every rule at every place that the model was asked."""
    places = [KnownPlace.of(place) for place in every_place()]
    hits, right = dict(one.hits), dict(one.right)
    for rule in rule_results(places):
        marks = [
            "-" if asked == "-" else "01"[pick in place.right]
            for asked, pick, place in zip(one.agrees, rule.picks, places, strict=True)
        ]
        hits[rule.method], right[rule.method] = "".join(marks), marks.count("1")
    return replace(one, hits=hits, right=right)


def _summary(way: MethodVariant, models: Sequence[Recorded]) -> MethodSummary:
    name = way.name
    marks = np.array([list(one.hits[name]) for one in models])
    agrees = np.array([list(one.agrees) for one in models])
    hits, among = (marks == "1").sum(0), (marks != "-").sum(0)
    interval = rate_interval(hits, among)
    assert interval is not None
    shares = [one.share(name) for one in models]
    there = agrees == "1"
    tests = [paired(one, name) for one in models]
    kept = [p <= LEVEL for p in holm([p for p, _more in tests])]
    return MethodSummary(
        way,
        float(hits.sum() / among.sum()),
        *interval,
        _mean([one.mass.get(name) for one in models]),
        _mean([one.rank.get(name) for one in models]),
        float((marks[there] == "1").mean()),
        min(shares),
        max(shares),
        sum(is_kept and more > 0 for is_kept, (_p, more) in zip(kept, tests, strict=True)),
        sum(is_kept and more < 0 for is_kept, (_p, more) in zip(kept, tests, strict=True)),
        len(models),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return math.fsum(known) / len(known) if known else None


def paired(one: Recorded, name: str) -> tuple[float, int]:
    """McNemar's p of a method against the one that all are tested against, and who has more."""
    pairs = list(zip(one.hits[name], one.hits[MEASURE], strict=True))
    more, fewer = pairs.count(("1", "0")), pairs.count(("0", "1"))
    return mcnemar(more, fewer), more - fewer


def row_of(one: MethodSummary, models: int) -> str:
    """A method's row of the table, in percent; in brackets how many models have it, where few."""
    few = "" if one.models == models else f" ({one.models})"
    against = "" if one.way.name == MEASURE else f"{one.better} / {one.worse}"
    cells = (
        f"{one.way.title.said}{few}",
        f"{100 * one.share:.1f}",
        f"{100 * one.low:.1f}-{100 * one.high:.1f}",
        "" if one.mass is None else f"{100 * one.mass:.1f}",
        "" if one.rank is None else f"{one.rank:.2f}",
        f"{100 * one.agreeing:.1f}",
        f"{100 * one.least:.1f}-{100 * one.most:.1f}",
        against,
    )
    return f"| {' | '.join(cells)} |"


def table_of(name: str, models: Sequence[Recorded]) -> str:
    """A README's table, in its language."""
    heads = HEADS[name]
    wanted = language.find(LANGUAGES[name], own_resources() / "locale")
    assert wanted is not None
    before = language.use(wanted)
    try:
        rows = [row_of(one, len(models)) for one in summaries(models)]
    finally:
        language.use(before)
    lines = (f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *rows)
    return "\n".join(lines)


def better_in(models: Sequence[Recorded]) -> dict[tuple[str, str], int]:
    """In how many models a method is right more often than another, for all pairs.

    By McNemar's exact test with Holm's correction over all pairs of that model; only pairs that
    hold in some model are there.
    """
    found: Counter[tuple[str, str]] = Counter()
    for one in map(with_rules, models):
        asked = {
            name: [mark == "1" for mark in marks if mark != "-"] for name, marks in one.hits.items()
        }
        for pair in pairs_of(asked):
            if pair.better:
                (worse,) = {pair.first, pair.second} - {pair.better}
                found[pair.better, worse] += 1
    return dict(found)


def table_of_pairs(models: Sequence[Recorded]) -> str:
    """A row and a column a method, numbered, the one that is right most often first."""
    better = better_in(models)
    every = summaries(models)
    names = [one.way.name for one in every]
    heads = " | ".join(str(number) for number in range(1, len(every) + 1))
    rows = [
        f"| {number}. {one.way.title.said} | "
        + " | ".join("" if name == other else f"{better.get((name, other), 0)}" for other in names)
        + " |"
        for number, (name, one) in enumerate(zip(names, every, strict=True), start=1)
    ]
    return "\n".join((f"| | {heads} |", "|---" * (len(every) + 1) + "|", *rows))


def write_tables(root: Path, models: Sequence[Recorded]) -> None:
    """Put the tables between their marks: into both READMEs, and that of pairs into docs."""
    for name in HEADS:
        put_between(root / name, BEGIN, END, table_of(name, models))
    put_between(root / PAIRS_IN, PAIRS_BEGIN, PAIRS_END, table_of_pairs(models))
