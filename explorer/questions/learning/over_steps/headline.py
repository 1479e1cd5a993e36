"""What to look at first: what is learnt first and last, or the number that changed most early."""

from explorer.api.question import Headline
from explorer.api.question.standing_out import beyond
from explorer.over_steps.half import half_of
from explorer.questions.learning.over_steps.drawing import SeriesGroup, groups_in
from explorer.questions.learning.over_steps.question import OverStepsResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.phrase import NOTHING

APART = 2.0
"""How many times as late the last must be half learnt as the first, to stand out."""
FAR = 20.0
FEWEST = 3
"""Steps below which nothing is said."""


def headline(
    result: OverStepsResult, shown: tuple[str, ...] = (), alike: bool = False, **_looked_at: object
) -> Headline:
    """Of several numbers the first and the last that are halfway; of one when it is."""
    if not result.series or len(result.series[0].steps) - result.series[0].waiting < FEWEST:
        return Headline(NOTHING)
    group = groups_in(result, alike=alike)[0]
    found = sorted(_halves(result, shown, group))
    if not found:
        return Headline()
    step, _name, title, first, last = found[0]
    many = len(group.places)
    never = len(result.shown(shown)) - len(found)
    values = {"number": title, "step": step, "seeds": many}
    if never:
        end = result.series[0].steps[-1]
        values |= {"never": never, "end": end}
        code = (
            N_(
                "“{number}” is halfway first, by step {step}; {never} others are not halfway by "
                "step {end}: in one run."
            )
            if many == 1
            else N_(
                "“{number}” is halfway first, by step {step}; {never} others are not halfway by "
                "step {end} in each of {seeds} seeds."
            )
        )
        return Headline(Phrase(code, **values), strength=beyond(end / max(1, step), APART, FAR))
    if len(found) == 1:
        code = (
            N_("“{number}” is halfway by step {step}, from {first} to {last}: in one run.")
            if many == 1
            else N_(
                "“{number}” is halfway by step {step}, from {first} to {last}: mean of {seeds} "
                "seeds."
            )
        )
        ends = {"first": significant(first, 3), "last": significant(last, 3)}
        return Headline(Phrase(code, **values, **ends), strength=0.3)
    end, _name, other, *_ends = found[-1]
    if end < APART * max(1, step):
        return Headline()
    code = (
        N_(
            "“{number}” is halfway first, by step {step}, and “{last}” last, by step {end}: in one "
            "run."
        )
        if many == 1
        else N_(
            "“{number}” is halfway first, by step {step}, and “{last}” last, by step {end}: means "
            "of {seeds} seeds."
        )
    )
    strength = beyond(end / max(1, step), APART, FAR)
    return Headline(Phrase(code, **values, last=other, end=end), strength=strength)


def _halves(
    result: OverStepsResult, shown: tuple[str, ...], group: SeriesGroup
) -> list[tuple[int, str, Phrase, float, float]]:
    import numpy as np

    found = []
    for one in result.shown(shown):
        runs = [
            (np.array(result.series[place].steps, np.int64), result.of_series(one, place))
            for place in group.places
        ]
        half = half_of(one, runs).step
        known = runs[0][1][np.isfinite(runs[0][1])]
        if half is not None and len(known):
            found.append((round(half), one.name, one.title, float(known[0]), float(known[-1])))
    return found
