"""The losses of each paper on a card: formula, what it is averaged over, value."""

from collections.abc import Sequence
from itertools import groupby

from explorer.questions.distillation.distillation_losses.terms import (
    DISTILBERT,
    HINTON,
    MOBILEBERT,
    TINYBERT,
    TOTAL,
    Term,
)
from explorer.text import N_, _
from explorer.text.glossary import explain
from explorer.ui.blocks.columns import Card
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.entries import Entries, Entry
from explorer.ui.blocks.text import Text, note
from explorer.ui.matrices.scale import number

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


def by_paper(every: Sequence[Term]) -> list[tuple[str, list[Term]]]:
    """The losses of each paper, in their order."""
    return [(group, list(some)) for group, some in groupby(every, lambda one: one.group)]


def paper(group: str, some: Sequence[Term]) -> Card:
    """A paper with its losses."""
    return Card(
        [
            Text(_(group), "strong"),
            note(_(SOURCES[group]), above=Space.TIGHT),
            Entries([_entry(term) for term in some], _(group)),
        ]
    )


def _entry(term: Term) -> Entry:
    """A loss: name, formula, what it is averaged over, value."""
    notes = [term.why if term.value is None else term.reduction]
    if term.layers:
        notes.append(
            _(
                "student layer → teacher layer: {layers}",
                layers=" · ".join(f"{m} → {n}: {number(value)}" for m, n, value in term.layers),
            )
        )
    return Entry(
        term.title,
        number(term.value) if term.value is not None else "—",
        term.formula,
        tuple(notes),
        muted=term.value is None,
        chosen=term.key == TOTAL,
        words=_about(term),
    )


def _about(term: Term) -> str:
    lines = [term.title, term.formula, term.reduction]
    if term.key in EXPLAINED:
        lines.append(explain(EXPLAINED[term.key]))
    if term.scale != 1.0 and term.value is not None:
        lines.append(_("Without T²: {number}", number=number(term.value / term.scale)))
    if term.why:
        lines.append(term.why)
    return "\n".join(lines)
