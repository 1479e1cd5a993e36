"""What a page of edits can be set to: a second word's measure, and no words where none is said."""

from collections.abc import Mapping

from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.questions.cause.edits.parts import measured
from explorer.questions.cause.edits.question import (
    AGAINST,
    DIFFERENCE,
    MEASURE,
    QUESTION,
    WORD,
    EditsResult,
    PredictionKind,
)
from explorer.text import _
from explorer.ui.blocks import Offer, Shown, page_of_parts


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The logit difference, where there is a second word."""
    if shown is None or shown.result.difference is not None:
        return {}
    entries = [one for one in MEASURE.entries if one.value != DIFFERENCE]
    return {MEASURE.key: Offer(entries, measured(shown.result, shown.value(MEASURE)))}


def disabled(_now: Document, result: EditsResult) -> Mapping[str, str]:
    """A discriminator tells two things apart and predicts no words."""
    if result.kind is not PredictionKind.REPLACED:
        return {}
    why = _("A discriminator tells “replaced” from “original”, and predicts no words.")
    return {WORD.key: why, AGAINST.key: why}


PAGE = page_of_parts(QUESTION, offers=offers, disabled=disabled)
