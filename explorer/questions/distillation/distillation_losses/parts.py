"""The losses of each paper on a card, then layers against layers, and what T squared is for."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from explorer.api import Cards, Entries, Manner, Models, OneCard, OneEntry, OwnPicture, Said, Width
from explorer.api.question.parts.curves import Curve, Curves, Panel
from explorer.questions.distillation.distillation_losses.measures import measure_of, values_of
from explorer.questions.distillation.distillation_losses.question import (
    DistillationLossesResult,
    LayerLosses,
    PredictionLosses,
)
from explorer.questions.distillation.distillation_losses.settings import (
    MEASURE,
    TEMPERATURE,
    followed,
)
from explorer.questions.distillation.distillation_losses.terms import (
    DISTILBERT,
    HINTON,
    MOBILEBERT,
    TINYBERT,
    TOTAL,
    Term,
    terms,
)
from explorer.questions.distillation.over_temperature import over_temperatures
from explorer.questions.distillation.roles import players
from explorer.text import N_, Phrase
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
LAYERS = "layers"
"""The page's own picture: cells of student layers x teacher layers."""


def parts(
    result: DistillationLossesResult, measure: str = MEASURE.default, **settings: Any
) -> Iterator[Models | Cards | Entries | Said | OwnPicture | Curves]:
    """Who is who, every loss, then what is behind them."""
    yield players(result)
    losses = terms(result, followed(**settings))
    papers = (
        OneCard(group, (Said(SOURCES[group], near=True), _entries(group, some)))
        for group, some in groupby(losses, lambda one: one.group)
    )
    yield Cards(tuple(papers), Width.WIDE)
    below = []
    if result.layers is not None:
        below.append(OneCard("", tuple(_layers(result.layers, measure))))
    if result.predictions is not None:
        below.append(OneCard("", tuple(_gradient(result, result.predictions))))
    yield Cards(tuple(below), Width.WIDE)


def _entries(paper: str, losses: Iterable[Term]) -> Entries:
    return Entries(tuple(map(_entry, losses)), title=paper)


def _entry(term: Term) -> OneEntry:
    """A loss: name, formula, what it is averaged over, value."""
    notes = [term.why if term.value is None else term.reduction]
    if term.layers:
        layers = " · ".join(f"{m} → {n}: {in_digits(value)}" for m, n, value in term.layers)
        notes.append(Phrase(N_("student layer → teacher layer: {layers}"), layers=layers))
    about = [term.title, term.formula, term.reduction]
    if term.key in EXPLAINED:
        about.append(meaning(EXPLAINED[term.key]))
    if term.scale != 1.0 and term.value is not None:
        unscaled = in_digits(term.value / term.scale)
        about.append(Phrase(N_("Without T²: {number}"), number=unscaled))
    return OneEntry(
        term.title,
        in_digits(term.value) if term.value is not None else "—",
        term.formula,
        tuple(notes),
        muted=term.value is None,
        chosen=term.key == TOTAL,
        words=(*about, term.why),
    )


def _layers(layers: LayerLosses, key: str) -> Iterator[Said | OwnPicture]:
    measure = measure_of(key)
    title = N_("Every student layer against every teacher layer. {title}")
    yield Said(Phrase(title, title=Phrase(measure.title)), Manner.STRONG)
    if values_of(layers, measure) is None:
        yield Said(
            N_("The models have different numbers of heads, so attention can't be compared.")
        )
        return
    words = Phrase(measure.words, meaning=meaning("linear CKA"))
    framed = Phrase(N_("Framed: the layer map, which the losses above follow."))
    fits = layers.fits_exactly and measure.key in ("mse", "cosine")
    useless = [Phrase(N_("Here least squares fits exactly: look at CKA instead."))] if fits else []
    yield Said(Phrase.joined((words, framed, *useless)))
    yield OwnPicture(LAYERS)


def _gradient(result: DistillationLossesResult, found: PredictionLosses) -> Iterator[Said | Curves]:
    """What T squared is for."""
    yield Said(N_("Why T squared"), Manner.STRONG)
    yield Said(WHY_SQUARED)
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
