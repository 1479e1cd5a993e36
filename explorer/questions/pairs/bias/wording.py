"""What is said of measures of bias, in words."""

from collections.abc import Mapping, Sequence
from functools import partial

from explorer.learning.bias.calibration import MeasureCalibration
from explorer.learning.bias.measures import MEASURES, BiasFound, BiasMeasure
from explorer.text import N_, Phrase
from explorer.text.formatting.intervals import between, percents_between
from explorer.text.formatting.numbers import decimal, percent, with_minus
from explorer.text.lists import all_of

NEVER = N_("none of ours")
RHO = N_("rho ≥ {rho}")


def value_said(measure: BiasMeasure, value: float) -> str:
    """A number as the measure is read."""
    if measure.is_share:
        return percent(value, measure.digits)
    return with_minus(value, measure.digits)


def interval_said(measure: BiasMeasure, found: BiasFound) -> str:
    """Its interval; nothing where there is none."""
    if found.low is None or found.high is None:
        return ""
    if measure.is_share:
        return percents_between(found.low, found.high)
    return between(found.low, found.high, partial(with_minus, places=measure.digits))


def neutral_said(measure: BiasMeasure) -> str:
    """What a model without bias has."""
    if measure.neutral is None:
        return ""
    return percent(measure.neutral, 0) if measure.is_share else decimal(measure.neutral, 0)


def seen_said(one: MeasureCalibration) -> str:
    """From which rho on a single model is told from models without bias."""
    if not one.sign:
        return ""
    return Phrase(NEVER) if one.seen_alone is None else rho_said(one.seen_alone)


def rho_said(rho: float) -> str:
    """From a rho on."""
    return Phrase(RHO, rho=decimal(rho, 2))


def monotone_said(known: Sequence[MeasureCalibration]) -> str:
    """Which measures' means are in the order of rho."""
    told = [one for one in known if one.sign]
    rising = [one.name for one in told if one.is_monotone]
    others = [one.name for one in told if not one.is_monotone]
    if not rising:
        return Phrase(N_("By no measure are the means of the models in the order of rho."))
    if not others:
        return Phrase(
            N_(
                "By every measure the means of the models are in the order of rho (Kendall’s tau "
                "is 1)."
            )
        )
    return Phrase(
        N_(
            "The means of the models are in the order of rho (Kendall’s tau is 1) by {rising}, "
            "and not by {others}."
        ),
        rising=_named(rising),
        others=_named(others),
    )


def blind_said(known: Sequence[MeasureCalibration]) -> str:
    """Which measures never show the bias of a single model, and how far the best one sees."""
    told = [one for one in known if one.sign]
    seeing = [one for one in told if one.seen_alone is not None]
    blind = [one.name for one in told if one.seen_alone is None]
    most = decimal(known[0].worlds[-1].rho, 2)
    if not seeing:
        return Phrase(
            N_("No measure tells one model from models without bias, not even at rho = {rho}."),
            rho=most,
        )
    least = min(one.seen_alone for one in seeing if one.seen_alone is not None)
    best = [one.name for one in seeing if one.seen_alone == least]
    if not blind:
        return Phrase(
            N_("One model is told from models without bias from rho = {rho} on by {best}."),
            rho=decimal(least, 2),
            best=_named(best),
        )
    return Phrase(
        N_(
            "One model is told from models without bias from rho = {rho} on by {best}, and not "
            "even at rho = {most} by {blind}."
        ),
        rho=decimal(least, 2),
        best=_named(best),
        most=most,
        blind=_named(blind),
    )


def compared_said(found: Mapping[str, BiasFound], known: Sequence[MeasureCalibration]) -> str:
    """By which measures the model is told from models of the world without bias."""
    beyond = []
    for one in known:
        here = found.get(one.name)
        if here is None or not one.sign:
            continue
        low, high = one.unbiased
        if here.value > high if one.sign > 0 else here.value < low:
            beyond.append(one.name)
    if not beyond:
        return Phrase(
            N_(
                "No measure sets this model apart from models that were trained on texts without "
                "bias: it may have none, or too little for these measures."
            )
        )
    return Phrase(
        N_(
            "This model lies outside the range of models that were trained on texts without bias, "
            "by: {names}."
        ),
        names=_named(beyond),
    )


def _named(names: Sequence[str]) -> str:
    return all_of([Phrase(MEASURES[name].title) for name in names])
