"""What is said of a claim: what may be concluded, and how it was found out."""

from explorer.learning.experiments.findings import ClaimVerdict
from explorer.learning.experiments.measures import ExperimentMeasure, measure_of
from explorer.questions.learning.experiments.question import ClaimTried, ExperimentsResult
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import signed as with_sign
from explorer.text.formatting.numbers import with_minus

VERDICTS = {
    ClaimVerdict.BORNE_OUT: N_("borne out"),
    ClaimVerdict.IN_PART: N_("borne out in part"),
    ClaimVerdict.NOT_BORNE_OUT: N_("not borne out"),
    ClaimVerdict.NOTHING: N_("nothing can be said"),
}
WHOLE = {
    ClaimVerdict.BORNE_OUT: N_("Our runs bear the claim out."),
    ClaimVerdict.IN_PART: N_(
        "Our runs bear out a part of the claim; of the rest nothing can be said."
    ),
    ClaimVerdict.NOT_BORNE_OUT: N_("Our runs do not bear the claim out."),
    ClaimVerdict.NOTHING: N_("Nothing can be said from our runs."),
}
NO_RUNS = N_("This claim has not been tried yet: the command below does it.")


def verdict_said(result: ExperimentsResult) -> str:
    """What may be concluded of the whole claim."""
    return Phrase(WHOLE[result.verdict]) if result.measured else Phrase(NO_RUNS)


def number_said(measure: ExperimentMeasure, value: float | None, *, signed: bool = False) -> str:
    """A measurement, or a change of one, as people read it; "" where there is none."""
    if value is None:
        return ""
    shown = 100 * value if measure.is_share else value
    return (with_sign if signed else with_minus)(shown, measure.digits)


def unit_of(measure: ExperimentMeasure) -> str:
    """Marked for translation; "" for none."""
    return "%" if measure.is_share else measure.unit


def difference_said(tried: ClaimTried) -> Phrase:
    """What lies between two ways at equal seeds, with its interval."""
    measure = measure_of(tried.measure)
    ends = [number_said(measure, one, signed=True) for one in (tried.mean, tried.low, tried.high)]
    mean, low, high = ends
    code = NN_(
        "From “{than}” to “{way}”, {measure} changes by {mean} {unit} (from {low} to {high}; "
        "{count} seed).",
        "From “{than}” to “{way}”, {measure} changes by {mean} {unit} (from {low} to {high}; "
        "{count} seeds).",
    )
    return Phrase(
        code,
        count=tried.count,
        than=tried.than,
        way=tried.way,
        measure=Phrase(measure.title),
        mean=mean,
        unit=Phrase(unit_of(measure)),
        low=low,
        high=high,
    )


def foretold_said(tried: ClaimTried) -> Phrase:
    """What the claim says of two ways, as short as a cell is."""
    values = {"way": tried.way, "than": tried.than}
    if tried.within is not None:
        return Phrase(N_("{way} ≈ {than}"), **values)
    if measure_of(tried.measure).rises:
        return Phrase(N_("{way} > {than}"), **values)
    return Phrase(N_("{way} < {than}"), **values)


def came_said(tried: ClaimTried) -> Phrase:
    """In which measure, what may be concluded, and the interval of the difference."""
    measure = measure_of(tried.measure)
    ends = {
        name: number_said(measure, end, signed=True)
        for name, end in (("low", tried.low), ("high", tried.high))
    }
    values: dict[str, str] = {
        "measure": Phrase(measure.title),
        "verdict": Phrase(VERDICTS[tried.verdict]),
    }
    if not ends["low"]:
        return Phrase(N_("{measure}: {verdict}"), **values)
    values |= {**ends, "unit": Phrase(unit_of(measure))}
    if tried.within is None:
        return Phrase(N_("{measure}: {verdict} ({low} to {high} {unit})"), **values)
    within = number_said(measure, tried.within)
    return Phrase(
        N_("{measure}: {verdict} ({low} to {high} {unit}; alike within {within})"),
        within=within,
        **values,
    )


def made_said(result: ExperimentsResult) -> Phrase:
    """Which command made the results, when and with what."""
    if not result.measured:
        return Phrase(N_("To try it: {command}"), command=result.command)
    seeds = max(len(one.seeds) for one in result.measured)
    values = {
        "seeds": seeds,
        "steps": result.steps,
        "command": result.command,
        "date": result.date,
        "versions": result.versions,
    }
    if result.short:
        return Phrase(
            N_(
                "The short form: {seeds} seeds, {steps} steps at most. Made by {command} on {date} "
                "({versions})."
            ),
            **values,
        )
    if not result.versions:
        return Phrase(
            N_("{seeds} seeds, {steps} steps at most. Made by {command} on {date}."), **values
        )
    return Phrase(
        N_("{seeds} seeds, {steps} steps at most. Made by {command} on {date} ({versions})."),
        **values,
    )
