"""The calibration of every bundled model against exact probabilities: reckoned once."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from explorer.api.question import Manner, Rows, Said, column
from explorer.paths import own_resources
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.text.formatting.intervals import between
from explorer.text.formatting.numbers import decimal

FILE = "exact_calibration.json"
_IN_THREE = partial(decimal, places=3)

ABOUT = N_(
    "The miniatures' world comes from a grammar, so every word's exact probability is known, and a "
    "model's can be held against it without a word drawn: nothing here comes by chance but the "
    "choice of texts. KL is the exact distribution's from the model's, in nats a place."
)


@dataclass(frozen=True)
class ExactCalibration:
    """One model's, at every token of texts that were kept from training.

    Attributes:
        model: Its name.
        from_left: What stands behind a place is unseen, for the model and for the exact answer.
        texts: How many.
        places: Tokens of all of them.
        confidence: The mean probability of the model's first word.
        exact: The mean exact probability of that word.
        error: The expected calibration error of the former against the latter, in 15 bins.
        error_between: Its 95 % interval, by texts drawn anew.
        apart: The mean distance of the two, place by place.
        apart_between: Its 95 % interval, with texts as clusters.
        divergence: Mean KL(exact || model), in nats.
        divergence_between: Its 95 % interval, likewise.
        floor: The mean entropy of the exact distributions, in nats.
        text_error: The expected calibration error against the words that stand in the texts.
        weights: Fingerprint of the model's weights.
        version: Of the program.
    """

    model: str
    from_left: bool
    texts: int
    places: int
    confidence: float
    exact: float
    error: float
    error_between: tuple[float, float]
    apart: float
    apart_between: tuple[float, float]
    divergence: float
    divergence_between: tuple[float, float]
    floor: float
    text_error: float
    weights: str
    version: str


def shipped_in() -> Path:
    """The file of all models."""
    return own_resources() / "world" / FILE


@cache
def every_model() -> tuple[ExactCalibration, ...]:
    """All of them, in alphabetical order (`explorer.pretraining.exact_calibration`)."""
    kept = json.loads(shipped_in().read_text("utf-8"))
    pairs = ("error_between", "apart_between", "divergence_between")
    return tuple(
        ExactCalibration(**{**one, **{name: tuple(one[name]) for name in pairs}}) for one in kept
    )


@dataclass(frozen=True)
class ExactCalibrationRow:
    """A bundled model against the exact probabilities."""

    model: str = column(N_("model"), key=True)
    reads: str = column(N_("reads"), dispensable=True)
    error: float = column(
        N_("calibration error"),
        digits=3,
        tip=N_("Of the first word's probability against its exact one, in 15 bins."),
    )
    error_interval: str = column(
        N_("interval"), name="error_interval", ink=lambda _said: "muted", dispensable=True
    )
    apart: float = column(
        N_("mean |p − exact|"),
        digits=3,
        tip=N_("How far the first word's probability is from its exact one, place by place."),
    )
    apart_interval: str = column(
        N_("interval"), name="apart_interval", ink=lambda _said: "muted", dispensable=True
    )
    divergence: float = column(N_("KL to exact"), unit=N_("nats"), digits=3)
    divergence_interval: str = column(
        N_("interval"), name="divergence_interval", ink=lambda _said: "muted", dispensable=True
    )


def bundled(model: str) -> Iterator[Rows | Said]:
    """A row a model, the one with the least divergence first.

    Args:
        model: The name of the one that is asked.
    """
    every = sorted(every_model(), key=lambda one: one.divergence)
    rows = {_row(one): one for one in every}
    yield Rows(
        ExactCalibrationRow,
        tuple(rows),
        "divergence",
        words=lambda row: _about(rows[row]),
        chosen=lambda row: rows[row].model == model,
        in_files=False,
        title=N_("Bundled models, against exact probabilities"),
    )
    yield Said(ABOUT, Manner.ABOUT, near=True)


def _row(one: ExactCalibration) -> ExactCalibrationRow:
    return ExactCalibrationRow(
        verbatim(one.model),
        Phrase(N_("from the left") if one.from_left else N_("both sides")),
        one.error,
        between(*one.error_between, _IN_THREE),
        one.apart,
        between(*one.apart_between, _IN_THREE),
        one.divergence,
        between(*one.divergence_between, _IN_THREE),
    )


def _about(one: ExactCalibration) -> Phrase:
    """What a row is of."""
    return Phrase(
        NN_(
            "{model}: {places} places of {count} text that was kept from training. Its first word "
            "has {confidence} on average, exactly {exact}; the least loss there is {floor} nats.",
            "{model}: {places} places of {count} texts that were kept from training. Its first "
            "word has {confidence} on average, exactly {exact}; the least loss there is {floor} "
            "nats.",
        ),
        count=one.texts,
        model=one.model,
        places=one.places,
        confidence=_IN_THREE(one.confidence),
        exact=_IN_THREE(one.exact),
        floor=_IN_THREE(one.floor),
    )
