"""Numbers of an answer over the steps of training, and when each had done half of its way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.api.question import (
    Choices,
    Curve,
    Curves,
    Manner,
    OneChoice,
    Panel,
    Rows,
    Runs,
    Said,
    Width,
    column,
    sets,
)
from explorer.learning.curves.seeds import ENOUGH
from explorer.over_steps.half import half_of
from explorer.over_steps.numbers import FollowedNumber, NumberColumn, without_constant
from explorer.questions.learning.over_steps.casting import question_asked
from explorer.questions.learning.over_steps.drawing import (
    SeriesGroup,
    StepAxis,
    StepDrawing,
    StepPanel,
    axis_of,
    groups_in,
    panels_of,
)
from explorer.questions.learning.over_steps.options import INTERVAL, MOST_SHOWN, SERIES, SHOWN
from explorer.questions.learning.over_steps.question import OverStepsResult, at_the_end
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.text.formatting.numbers import whole

ABOUT = N_(
    "One question is asked at every step of a model's training that was kept, and numbers of its "
    "answers are drawn over the steps. Points are what was measured; the lines between them only "
    "lead the eye. What was asked once is not asked again: it is kept by the weights and the "
    "question."
)
CHOSEN = N_(
    "A point is chosen by a click or by the arrow keys and Enter, and the model is put to that "
    "step on all pages."
)
HOW_FAR = N_("“{question}” at {done} of {count} steps of {series}.")
LEFT_OUT = N_("{name} is left out: {problem}")
MORE_LEFT_OUT = NN_("{count} more step is left out.", "{count} more steps are left out.")
TOLD = 4
"""Frames that are left out which are named."""
ONE_SEED = N_(
    "One seed is no finding: another draw of weights and batches may come out otherwise. With "
    "{enough} seeds of one plan there is an interval."
)
INTERVALS = N_("Bands are 95 % intervals of the mean over seeds (Student's t).")
RANGES = N_("Bands go from the least seed to the greatest one.")
SOME_STEPS = N_(
    "Some numbers are not there at every step: a word is listed only where it is among the {count} "
    "likeliest, and only steps that have it are drawn."
)
FOUND = N_("{found} of {count} numbers could be added: find them above.")
OFFERED = 12
"""Numbers that are offered at once."""
PLOT = 210.0
"""Pixels of a panel."""
LEARNT, HALFWAY = N_("What is learnt first"), N_("What is halfway first")
HALF_TIP = N_(
    "The first step from which on half of the way was done: of a loss above its floor, half of "
    "what it was at the start is gone; of any other number, half of the way to where it came to. "
    "Over seeds the mean, on a scale of powers of ten."
)


@dataclass(frozen=True)
class HalfWayRow:
    """When a number had done half of its way."""

    series: str = column(N_("series"), key=True)
    number: str = column(N_("number followed"), key=True)
    half: int | None = column(N_("half by step"), tip=HALF_TIP)
    low: int | None = column(N_("interval from"), dispensable=True)
    high: int | None = column(N_("to"), dispensable=True)
    first: float | None = column(N_("first"))
    last: float | None = column(N_("last"))


Kinds = Said | Choices | Curves | Rows


def parts(
    result: OverStepsResult,
    shown: tuple[str, ...] = (),
    find: str = "",
    axis: str = "",
    alike: bool = False,
    band: str = INTERVAL,
) -> Iterator[Kinds]:
    """How far it is, the curves, which numbers there are, and what was learnt first."""
    drawing = StepDrawing(tuple(shown), axis, alike, band)
    yield Said(ABOUT, Manner.ABOUT)
    yield Said(CHOSEN, Manner.HINT)
    yield from _how_far(result)
    panels = panels_of(result, drawing)
    if panels:
        yield _curves(panels, axis_of(panels, axis))
        yield from _seeds_said(groups_in(result, alike=alike), band)
        if any(_has_gaps(result, one) for one in result.shown(shown)):
            yield Said(Phrase(SOME_STEPS, count=_words(result)))
    yield from _numbers(result, drawing.shown, find)
    if rows := tuple(_halves(result, drawing)):
        yield Rows(
            HalfWayRow,
            rows,
            title=LEARNT if _is_learnt(result, drawing.shown) else HALFWAY,
            drops_empty=True,
            group="series" if len({one.series for one in rows}) > 1 else "",
            hidden=("series",),
        )
    yield from _series(result)


def _how_far(result: OverStepsResult) -> Iterator[Kinds]:
    question = question_asked(result.question)
    title = verbatim(result.question) if question is None else Phrase(question.title)
    names = [one.title for one in result.series]
    yield Said(
        Phrase(
            HOW_FAR,
            question=title,
            done=result.asked,
            count=result.asked + result.waiting,
            series=verbatim(", ".join(names)),
        ),
        Manner.PLAIN,
        near=True,
    )
    if result.waiting:
        words = N_("Go on") if result.asked else N_("Ask at every step")
        yield Choices(
            (OneChoice(words, Runs(), key="run"),),
            begun=N_("It is asked in the background. Cancel pauses it: what is done is kept."),
        )
    left_out = [one for series in result.series for one in series.left_out]
    for one in left_out[:TOLD]:
        yield Said(Phrase(LEFT_OUT, name=one.name, problem=one.why), Manner.WARNING, near=True)
    if len(left_out) > TOLD:
        yield Said(Phrase(MORE_LEFT_OUT, count=len(left_out) - TOLD), Manner.WARNING, near=True)


def _curves(panels: Sequence[StepPanel], axis: StepAxis) -> Curves:
    return Curves(
        axis.over,
        tuple(
            Panel(
                one.column.name,
                one.column.title,
                tuple(
                    Curve(
                        curve.name,
                        curve.values,
                        curve.colour,
                        curve.dash,
                        curve.band,
                        at=axis.at(curve.steps),
                    )
                    for curve in one.curves
                ),
                unit=one.column.unit,
                height=PLOT,
                switched=True,
            )
            for one in panels
        ),
        Width.WIDE if len(panels) == 1 else Width.MEDIUM,
        in_files=False,
    )


def _seeds_said(groups: Sequence[SeriesGroup], band: str) -> Iterator[Said]:
    if all(len(one.places) < ENOUGH for one in groups):
        yield Said(Phrase(ONE_SEED, enough=ENOUGH), Manner.PLAIN)
    several = [len(one.places) for one in groups if len(one.places) > 1]
    if any(one >= ENOUGH for one in several) and band == INTERVAL:
        yield Said(INTERVALS)
    if several and (band != INTERVAL or min(several) < ENOUGH):
        yield Said(RANGES)


def _has_gaps(result: OverStepsResult, number: FollowedNumber) -> bool:
    """Whether a step that was asked has it not, where another one of its series has."""
    asked = np.concatenate([one.values.reshape(len(one.values), -1) for one in result.tables], 1)
    there = np.isfinite(asked).any(axis=1)
    return bool((there & ~np.isfinite(number.values)).any())


def _words(result: OverStepsResult) -> int:
    """How many rows a step has at most in the tables that words come and go in."""
    return max(
        (int(np.isfinite(one.values).any(2).sum(1).max()) for one in result.tables), default=0
    )


# ---- which numbers --------------------------------------------------------------------------


def _numbers(result: OverStepsResult, shown: tuple[str, ...], find: str) -> Iterator[Kinds]:
    known = result.numbers
    if not known:
        return
    drawn = [one.name for one in result.shown(shown)]
    fits = [one for one in _offered(result, drawn) if one.name not in drawn and one.has(find)]
    columns = list(dict.fromkeys(known[name].column for name in drawn))
    yield Choices(
        tuple(
            OneChoice(
                _in_short(known[name], columns),
                sets(SHOWN, tuple(other for other in drawn if other != name), N_("choose numbers")),
                chosen=True,
                key=name,
            )
            for name in drawn
        ),
        columns[0].title if len(columns) == 1 else N_("Numbers"),
    )
    offered = fits[:OFFERED] if len(drawn) < MOST_SHOWN else []
    if offered:
        yield Choices(
            tuple(
                OneChoice(
                    _in_short(one, columns),
                    sets(SHOWN, (*drawn, one.name), N_("choose numbers")),
                    key=one.name,
                )
                for one in offered
            ),
            N_("Add"),
        )
    if len(fits) > len(offered):
        found = Phrase(FOUND, found=whole(len(fits)), count=whole(len(known)))
        yield Said(found, Manner.HINT, near=True)


def _in_short(one: FollowedNumber, columns: Sequence[NumberColumn]) -> Phrase:
    """Which row it is, where all that is drawn is of one column."""
    return one.row if one.row and [one.column] == list(columns) else one.title


def _offered(result: OverStepsResult, drawn: Sequence[str]) -> list[FollowedNumber]:
    """Those of what is drawn already first, and those that differ from step to step."""
    known = result.numbers
    columns = {known[name].column.name for name in drawn}
    differing = {one.name for one in without_constant(known.values())}

    def order(one: FollowedNumber) -> tuple[bool, bool, float]:
        is_other = one.column.name not in columns
        return is_other, one.name not in differing, 0.0 if is_other else -at_the_end(one)

    return sorted(known.values(), key=order)


# ---- what is learnt first ------------------------------------------------------------------


def _is_learnt(result: OverStepsResult, shown: tuple[str, ...]) -> bool:
    """Whether all of them fall to nothing as they are learnt."""
    return all(one.column.least is not None for one in result.shown(shown))


def _halves(result: OverStepsResult, drawing: StepDrawing) -> Iterator[HalfWayRow]:
    """By group, those that are halfway first come first."""
    numbers = result.shown(drawing.shown)
    columns = list(dict.fromkeys(one.column for one in numbers))
    for group in groups_in(result, alike=drawing.alike):
        found = ((one, _half(result, one, group)) for one in numbers)
        rows = [
            replace(row, number=_in_short(one, columns)) for one, row in found if row is not None
        ]
        yield from sorted(rows, key=lambda one: (one.half is None, one.half or 0))


def _half(result: OverStepsResult, number: FollowedNumber, group: SeriesGroup) -> HalfWayRow | None:
    runs = [
        (np.array(result.series[place].steps, np.int64), result.of_series(number, place))
        for place in group.places
    ]
    ends = [values[np.isfinite(values)] for _steps, values in runs]
    if not all(len(one) > 1 for one in ends):
        return None
    found = half_of(number, runs)

    def rounded(step: float | None) -> int | None:
        return None if step is None else round(step)

    return HalfWayRow(
        group.title,
        number.title,
        rounded(found.step),
        rounded(found.low),
        rounded(found.high),
        float(np.mean([one[0] for one in ends])),
        float(np.mean([one[-1] for one in ends])),
    )


# ---- further series ------------------------------------------------------------------------


def _series(result: OverStepsResult) -> Iterator[Choices]:
    """Each further series, to be taken away, and more of those that were made here."""
    further = tuple(one.id for one in result.series[1:])
    if further:
        yield Choices(
            tuple(
                OneChoice(
                    verbatim(one.title),
                    sets(
                        SERIES,
                        tuple(other for other in further if other != one.id),
                        N_("take a series away"),
                    ),
                    chosen=True,
                    key=("series", one.id),
                )
                for one in result.series[1:]
            ),
            N_("Further series"),
        )
    if result.offered and len(further) < (SERIES.most or 0):
        yield Choices(
            tuple(
                OneChoice(
                    verbatim(name),
                    sets(SERIES, (*further, name), N_("add a series")),
                    key=("offered", name),
                )
                for name in result.offered
            ),
            N_("Add a run"),
        )
