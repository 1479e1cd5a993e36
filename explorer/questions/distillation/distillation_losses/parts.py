"""The losses of each paper on a card, then layers against layers, and what T squared is for."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from explorer.api.question import (
    Cards,
    Curve,
    Curves,
    Grid,
    Manner,
    Models,
    OneCard,
    Panel,
    Rows,
    Said,
    Width,
    column,
)
from explorer.questions.distillation.distillation_losses.layers import layers_of
from explorer.questions.distillation.distillation_losses.losses import (
    DistillationLossesResult,
    LayerLosses,
    PredictionLosses,
)
from explorer.questions.distillation.distillation_losses.measures import measure_of, values_of
from explorer.questions.distillation.distillation_losses.settings import (
    MEASURE,
    TEMPERATURE,
    followed,
)
from explorer.questions.distillation.distillation_losses.terms import (
    DISTILBERT,
    HINTON,
    HOW_LARGE,
    LOSS,
    MOBILEBERT,
    TINYBERT,
    TOTAL,
    Term,
    layers_learnt,
    terms,
)
from explorer.questions.distillation.over_temperature import over_temperatures
from explorer.questions.distillation.roles import players
from explorer.text import N_, Phrase, said
from explorer.text.formatting.numbers import significant
from explorer.text.formatting.probabilities import in_digits
from explorer.text.glossary import meaning

SOURCES = {
    HINTON: N_(
        "Hinton, Vinyals and Dean 2015, section 2: p is the teacher's distribution at T, q the "
        "student's"
    ),
    DISTILBERT: N_(
        "Sanh et al. 2019, section 2: y is the hidden word, h a hidden state; weights and T are "
        "those of the released training"
    ),
    TINYBERT: N_("Jiao et al. 2020, section 3, equations 7 to 10"),
    MOBILEBERT: N_("Sun et al. 2020, section 3.5"),
}
EXPLAINED = {
    "distillation": N_("cross-entropy"),
    "kl_teacher_student": N_("KL divergence"),
    "teacher_entropy": N_("entropy"),
    "kl_student_teacher": N_("KL divergence"),
    "student": N_("hard label"),
    "cosine": N_("hidden state"),
    "tinybert_hidden": N_("layer map"),
    "tinybert_attention": N_("layer map"),
    "tinybert_prediction": N_("cross-entropy"),
}
"""Losses by the term that a person may look up."""
GRADIENT = N_(
    "Length of the distillation loss's gradient with respect to the student's logits, averaged "
    "over the masks."
)
WHY_SQUARED = N_(
    "Why T²: the gradient (q − p) / T of the distillation loss shrinks with the temperature, about "
    "as 1 / T² where T is high. Multiplied by T² it keeps its size, so the weights of the sum mean "
    "the same at every temperature."
)


def _written(value: float) -> str:
    """Four digits that count of what is large: 18.13, and four decimals below 1."""
    return significant(value, 4) if value >= 1 else in_digits(value)


@dataclass(frozen=True)
class TermRow:
    """A loss, as a person reads it."""

    title: str = column(LOSS, key=True)
    formula: str = column(N_("formula"), wraps=True)
    value: float | None = column(HOW_LARGE, written=_written)


def parts(
    result: DistillationLossesResult, measure: str = MEASURE.default, **settings: Any
) -> Iterator[Models | Cards | Rows | Said | Grid | Curves]:
    """Who is who, every loss, then what is behind them."""
    yield players(result)
    now = followed(**settings)
    losses = terms(result, now)
    papers = (
        OneCard(
            group,
            (Said(SOURCES[group], Manner.EXPLANATION, near=True), _losses(group, tuple(some))),
        )
        for group, some in groupby(losses, lambda one: one.group)
    )
    yield Cards(tuple(papers), Width.WIDE)
    below = []
    if result.layers is not None:
        mapped = layers_learnt(result, now)
        below.append(OneCard("", tuple(_layers(result.layers, measure, mapped))))
    if result.predictions is not None:
        below.append(OneCard("", tuple(_gradient(result, result.predictions))))
    yield Cards(tuple(below), Width.WIDE)


def _losses(paper: str, losses: tuple[Term, ...]) -> Rows:
    return Rows(
        TermRow,
        losses,
        words=_about,
        below=_below,
        chosen=lambda term: term.key == TOTAL,
        title=paper,
        in_files=False,
    )


def _below(term: Term) -> str:
    """What a loss is averaged over, or why there is none, and what the layers add to it."""
    lines = [term.reduction if term.value is not None else term.why]
    if term.layers:
        layers = " · ".join(f"{m} → {n}: {_written(value)}" for m, n, value in term.layers)
        lines.append(Phrase(N_("student layer → teacher layer: {layers}"), layers=layers))
    return "\n".join(map(said, lines))


def _about(term: Term) -> str:
    """A loss: name, formula, what it is averaged over, what its terms mean."""
    lines = [term.title, term.formula, term.reduction]
    if term.key in EXPLAINED:
        lines.append(meaning(EXPLAINED[term.key]))
    if term.scale != 1.0 and term.value is not None:
        unscaled = _written(term.value / term.scale)
        lines.append(Phrase(N_("Without T²: {number}"), number=unscaled))
    return "\n".join(said(line) for line in (*lines, term.why) if line)


def _layers(layers: LayerLosses, key: str, mapped: tuple[int, ...]) -> Iterator[Said | Grid]:
    measure = measure_of(key)
    title = N_("Every student layer against every teacher layer. {title}")
    yield Said(Phrase(title, title=Phrase(measure.title)), Manner.STRONG)
    values = values_of(layers, measure)
    if values is None:
        yield Said(
            N_("The models have different numbers of heads, so attention can't be compared.")
        )
        return
    words = Phrase(measure.words, meaning=meaning("linear CKA"))
    framed = Phrase(N_("Framed: the layer map, which the losses above follow."))
    fits = layers.fits_exactly and measure.key in ("mse", "cosine")
    useless = [Phrase(N_("Here least squares fits exactly: look at CKA instead."))] if fits else []
    yield Said(words, Manner.EXPLANATION)
    yield Said(Phrase.joined((framed, *useless)))
    yield layers_of(values, measure, mapped)


def _gradient(result: DistillationLossesResult, found: PredictionLosses) -> Iterator[Said | Curves]:
    """What T squared is for."""
    yield Said(N_("Why T squared"), Manner.STRONG)
    yield Said(WHY_SQUARED, Manner.EXPLANATION)
    at = found.temperatures
    panels = (
        Panel(
            name,
            title,
            (
                Curve(N_("without T²"), values, "muted", "dash"),
                Curve(N_("with T²"), values * at**2),
            ),
            words,
            logarithmic=True,
        )
        for name, title, words, values in (
            ("gradient", N_("Gradient's size over T"), GRADIENT, found.gradient_curve),
            (
                "kl_teacher_student",
                N_("KL(teacher ‖ student) over T (nats)"),
                N_("The divergence with and without T squared, averaged over the masks."),
                found.kl_curve,
            ),
        )
    )
    yield over_temperatures(at, TEMPERATURE, *panels, now=result.temperature)
