"""What is said of a claim: what may be concluded, and how it was found out."""

from explorer.learning.experiments.claim_folder import SHORT
from explorer.learning.experiments.claim_folder import WHOLE as WHOLE_FORM
from explorer.learning.experiments.definition import LEAST_SEEDS
from explorer.learning.experiments.findings import ClaimVerdict
from explorer.learning.experiments.measures import ExperimentMeasure, measure_of
from explorer.questions.learning.experiments.question import (
    ClaimTried,
    ControlTried,
    ExperimentsResult,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import signed as with_sign
from explorer.text.formatting.numbers import with_minus
from explorer.text.formatting.quantities import took
from explorer.text.sources import checked, unmarked

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
WHOLE_HERE = {
    ClaimVerdict.BORNE_OUT: N_("They bear the claim out."),
    ClaimVerdict.IN_PART: N_("They bear out a part of the claim; of the rest nothing can be said."),
    ClaimVerdict.NOT_BORNE_OUT: N_("They do not bear the claim out."),
    ClaimVerdict.NOTHING: N_("Nothing can be said from them."),
}
NO_RUNS = N_("This claim has not been tried yet: the command below does it.")
ONE_SEED = N_("One seed is no result: nothing can be said before there are three.")
NOT_HERE = N_("Its runs take a command of their own, which is named below.")
FORMS = {SHORT: N_("short form"), WHOLE_FORM: N_("whole form")}
HERE = {
    "waiting": N_("The {form} waits for its turn to be trained."),
    "training": N_("The {form} is being trained here: {runs} of {of} runs are done."),
    "paused": N_("The {form} is paused here after {runs} of {of} runs."),
    "stopped": N_("The {form} was stopped here after {runs} of {of} runs."),
    "cancelled": N_("The {form} was cancelled here after {runs} of {of} runs."),
    "done": N_("The {form} was run here, on {date}: {of} runs."),
    "failed": N_("The {form} failed here after {runs} of {of} runs."),
}
FORMER = N_("They are of a definition that is another one now: delete them to try this one.")
LEFT = N_("About {time} left.")


def verdict_said(result: ExperimentsResult) -> str:
    """What may be concluded of the whole claim."""
    return Phrase(WHOLE[result.verdict]) if result.measured else Phrase(NO_RUNS)


def claimed_said(result: ExperimentsResult) -> Phrase:
    """Who claims it, and which of these sources nobody has looked up."""
    known = checked(result.source)
    others = [one for one in result.source.split("; ") if one not in known.split("; ")]
    told = []
    if known:
        told.append(Phrase(N_("Claimed by {source}."), source=known))
    if others:
        source = unmarked("; ".join(others))
        told.append(Phrase(N_("Claimed by {source} (not checked)."), source=source))
    return Phrase.joined(told)


def here_said(result: ExperimentsResult) -> Phrase:
    """How far the runs made here are and what follows from them, or how long they would take."""
    made = result.here
    if made is None:
        if result.seconds is None:
            return Phrase(NOT_HERE)
        return Phrase(
            N_("The {form} takes about {time} of one idle core."),
            form=Phrase(FORMS[result.form]),
            time=took(result.seconds),
        )
    told = [
        Phrase(
            HERE[made.status],
            form=Phrase(FORMS[made.form]),
            runs=made.runs,
            of=made.of,
            date=made.date,
        )
    ]
    if made.seconds_left is not None:
        told.append(Phrase(LEFT, time=took(made.seconds_left)))
    if made.measured:
        most = max(len(one.seeds) for one in made.measured)
        told.append(Phrase(WHOLE_HERE[made.verdict] if most >= LEAST_SEEDS else ONE_SEED))
    if made.is_former:
        told.append(Phrase(FORMER))
    return Phrase.joined(told)


def control_said(control: ControlTried) -> Phrase:
    """Why the claim must fail in the control, and whether it does."""
    if not control.tried:
        return Phrase(
            N_("Control, not run yet: {what}. {why}"), what=control.title, why=control.why
        )
    if control.holds:
        return Phrase(
            N_("{why} But the claim holds there too, so our runs prove nothing."), why=control.why
        )
    return Phrase(N_("{why} So it is: the claim fails there."), why=control.why)


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
