"""What every changed word does to a prediction: word by word, and edit by edit."""

from collections.abc import Iterator, Mapping

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.cause.edits.effect_tables import edits_listed, words_table
from explorer.questions.cause.edits.pinned import pinned_edits
from explorer.questions.cause.edits.question import (
    AGAINST,
    AT,
    DIFFERENCE,
    DIVERGENCE,
    MEASURE,
    ONLY,
    OPERATION,
    WORD,
    EditsResult,
    Kind,
)
from explorer.questions.cause.edits.wording import ABOUT, predicted_said, strongest_said
from explorer.questions.reading_time import TOKENS_A_WORD, takes_long, tokens_about
from explorer.text import N_, _, ngettext
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit


def blocks(shown: Shown) -> Iterator[Block]:
    """What is predicted, what each word's edits do, and the edits, strongest first."""
    result: EditsResult = shown.result
    measure = measure_of(shown)
    choices = _choices(shown)
    if shown.alone or choices:
        words = dict.fromkeys(choices, _("Click to ask about this token."))
        notes = {result.position: _("asked")} if choices else {}
        yield Tokens(result.tokens, shown.asked, notes, words, choices)
    yield Text(predicted_said(result), "strong")
    if not result.edits:
        yield note(_("No word of the sentence could be edited."))
        return
    strongest = result.ranked(measure)[0]
    yield Text(strongest_said(result, strongest), above=Space.TIGHT)
    only, pinned = _only(shown), pinned_edits(shown)
    for one in pinned.said(result) if pinned is not None else ():
        yield note(one)
    yield Columns(
        [
            Card(
                [heading(_("Word by word")), words_table(shown, measure, only, pinned)],
                _("Word by word"),
            ),
            Card(list(edits_listed(shown, measure, only, pinned)), _("Edits")),
        ],
        CardWidth.WIDE,
        framed=False,
        shares=(0.9, 1.1),
    )
    if result.skipped:
        yield note(
            ngettext(
                "{count} edit could not be asked about: the place, or what fits into the model, "
                "is another one with it.",
                "{count} edits could not be asked about: the place, or what fits into the model, "
                "is another one with them.",
                result.skipped,
            ),
            above=Space.APART,
        )
    yield note(_(ABOUT), above=Space.APART)


def measure_of(shown: Shown) -> str:
    """What edits are ranked by: the divergence where the answer has not what is chosen."""
    chosen: str = shown.value(MEASURE)
    return DIVERGENCE if chosen == DIFFERENCE and shown.result.difference is None else chosen


def _choices(shown: Shown) -> Mapping[int, Edit]:
    """What may be asked about instead, by position: another mask, or any token to be judged."""
    result: EditsResult = shown.result
    tokens = enumerate(result.tokens)
    if result.kind is Kind.REPLACED:
        places = [n for n, one in tokens if not one.special]
    else:
        places = [n for n, one in tokens if one.masked]
    if len(places) < 2:
        return {}
    name = _("ask about another token")
    return {n: shown.setting(AT, (n,), name) for n in places}


def _only(shown: Shown) -> int | None:
    """The word whose edits alone are listed; None for all."""
    result: EditsResult = shown.result
    chosen = ONLY.of(shown.now)
    there = bool(chosen) and any(one.place == chosen[0] for one in result.edits)
    return chosen[0] if there else None


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The logit difference, where there is a second word."""
    if shown is None or shown.result.difference is not None:
        return {}
    entries = [one for one in MEASURE.entries if one.value != DIFFERENCE]
    return {MEASURE.key: Offer(entries, measure_of(shown))}


def disabled(_now: Document, result: EditsResult) -> Mapping[str, str]:
    """A discriminator tells two things apart and predicts no words."""
    if result.kind is not Kind.REPLACED:
        return {}
    why = _("A discriminator tells “replaced” from “original”, and predicts no words.")
    return {WORD.key: why, AGAINST.key: why}


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """A long text in a large model takes many passes."""
    tokens = tokens_about(document)
    asked = OPERATION.request.of(document)
    edits = tokens / TOKENS_A_WORD * (len(asked.words) or asked.neighbours)
    return takes_long(card, tokens * edits)


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    waits=waits,
    waiting_hint=N_(
        "Every word gives its place to others, and the model reads the sentence anew each time, "
        "which takes this model a while. Press Run to see which edit moves the prediction most."
    ),
    offers=offers,
    disabled=disabled,
)
