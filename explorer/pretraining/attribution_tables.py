"""The READMEs' tables of the attribution benchmark: a row a method."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from explorer.numerics.evaluation.clustered_rates import rate_interval
from explorer.numerics.evaluation.paired_outcomes import mcnemar
from explorer.paths import own_resources
from explorer.questions.cause.attribution_benchmark.recorded import Recorded
from explorer.questions.cause.attribution_benchmark.tested import WAYS, MethodVariant
from explorer.text import language

BEGIN: Final = "<!-- the attribution benchmark's table, made by its command -->"
END: Final = "<!-- the end of that table -->"
MEASURE: Final = "occlusion"
"""The method that all others are tested against."""
LEVEL: Final = 0.05

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
        mass: The mean over the models.
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
    mass: float
    rank: float
    agreeing: float
    least: float
    most: float
    better: int
    worse: int
    models: int


def summaries(models: Sequence[Recorded]) -> tuple[MethodSummary, ...]:
    """All methods, the one that is right most often first."""
    found = [_summary(way, [one for one in models if way.name in one.hits]) for way in WAYS]
    return tuple(sorted(found, key=lambda one: -one.share))


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
    kept = holm([p for p, _more in tests])
    return MethodSummary(
        way,
        float(hits.sum() / among.sum()),
        *interval,
        math.fsum(one.mass[name] for one in models) / len(models),
        math.fsum(one.rank[name] for one in models) / len(models),
        float((marks[there] == "1").mean()),
        min(shares),
        max(shares),
        sum(is_kept and more > 0 for is_kept, (_p, more) in zip(kept, tests, strict=True)),
        sum(is_kept and more < 0 for is_kept, (_p, more) in zip(kept, tests, strict=True)),
        len(models),
    )


def paired(one: Recorded, name: str) -> tuple[float, int]:
    """McNemar's p of a method against the one that all are tested against, and who has more."""
    pairs = list(zip(one.hits[name], one.hits[MEASURE], strict=True))
    more, fewer = pairs.count(("1", "0")), pairs.count(("0", "1"))
    return mcnemar(more, fewer), more - fewer


def holm(ps: Sequence[float]) -> list[bool]:
    """Which of several tests hold at the level together (Holm 1979)."""
    kept = [False] * len(ps)
    for rank, number in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        if ps[number] > LEVEL / (len(ps) - rank):
            break
        kept[number] = True
    return kept


def row_of(one: MethodSummary, models: int) -> str:
    """A method's row of the table, in percent; in brackets how many models have it, where few."""
    few = "" if one.models == models else f" ({one.models})"
    against = "" if one.way.name == MEASURE else f"{one.better} / {one.worse}"
    cells = (
        f"{one.way.title.said}{few}",
        f"{100 * one.share:.1f}",
        f"{100 * one.low:.1f}-{100 * one.high:.1f}",
        f"{100 * one.mass:.1f}",
        f"{one.rank:.2f}",
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


def write_readmes(root: Path, models: Sequence[Recorded]) -> None:
    """Put the table into both READMEs, between its marks."""
    for name in HEADS:
        path = root / name
        before, _mark, rest = path.read_text("utf-8").partition(BEGIN)
        _old, mark, after = rest.partition(END)
        if mark:
            path.write_text(f"{before}{BEGIN}\n{table_of(name, models)}\n{END}{after}", "utf-8")
