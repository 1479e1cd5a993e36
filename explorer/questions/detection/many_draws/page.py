"""Replaced-token detection over many draws of a sentence: distributions, ROC, places, errors."""

from collections.abc import Iterator

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.detection.cards import confusion_card, histogram_card, roc_card
from explorer.questions.detection.many_draws.measures import errors_card, places_card
from explorer.questions.detection.many_draws.question import DRAWS, OPERATION, ManyDrawsResult
from explorer.questions.detection.outcomes import Outcomes
from explorer.questions.detection.replaced_tokens.options import (
    THRESHOLD,
)
from explorer.text import N_, _, ngettext
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, hint
from explorer.ui.parts.cards import card_of
from explorer.ui.parts.looking import Looking

QUICK = 10_000_000
"""Parameters of a model, times the draws by 100, up to which a sentence is asked at once."""


def blocks(shown: Shown) -> Iterator[Block]:
    """What was done, then cards in as many columns as the width holds."""
    result: ManyDrawsResult = shown.result
    threshold = shown.value(THRESHOLD)
    counts = result.counts_at(threshold)
    yield Text(about(result))
    pooled = (
        histogram_card(result.probability, result.truth, threshold),
        roc_card(result.curve, counts, threshold, result.area),
        confusion_card(counts, threshold),
    )
    by_place = zip(result.places, result.counts_by_place(threshold), strict=True)
    yield Columns(
        (
            *(card_of(one, Looking(OPERATION, shown)) for one in pooled),
            places_card(tuple(by_place)),
            errors_card(
                _("Misses that look most original"),
                result.misses,
                _("Nothing was replaced: every draw hit the original."),
            ),
            errors_card(
                _("Originals that look most replaced"),
                result.false_alarms,
                _("There are none."),
            ),
        ),
        filled=True,
    )
    yield hint(_("Many sentences at once: ask this question in “File of sentences”."), Space.APART)


def about(result: ManyDrawsResult) -> str:
    """What was done, in sentences."""
    one = result.sentences == 1
    said = [
        _("{draws} draws of one sentence.", draws=result.draws)
        if one
        else _(
            "{draws} draws of {sentences} sentences of {file}.",
            draws=result.draws,
            sentences=result.sentences,
            file=result.source,
        ),
        _(
            "Masked tokens: {chosen}; replaced: {replaced}; draws that hit the original, and "
            "count as original: {guessed}.",
            chosen=result.chosen,
            replaced=result.chosen - result.guessed,
            guessed=result.guessed,
        ),
        _(
            "Mean losses: generator {generator} nats, discriminator {discriminator} nats.",
            generator=f"{result.generator_loss:.3f}",
            discriminator=f"{result.discriminator_loss:.3f}",
        ),
    ]
    if result.skipped:
        said.append(
            ngettext(
                "{count} sentence could not be corrupted and was passed over.",
                "{count} sentences could not be corrupted and were passed over.",
                result.skipped,
            )
        )
    return " ".join(said)


def stays(shown: Shown) -> Iterator[Block]:
    """The outcomes, which are in sight wherever the page is."""
    yield Outcomes(shown.result.counts_at(shown.value(THRESHOLD)))


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """Large models and very many draws wait for the button."""
    return card.parameters * DRAWS.of(document) / 100 > QUICK


PAGE = Page(
    OPERATION,
    blocks,
    stays=stays,
    second_model_hint=N_(
        "Draws need a generator beside the discriminator: its own, or any masked language model "
        "of the same vocabulary."
    ),
    waits=waits,
    waiting_hint=N_("Corrupt this sentence many times and pool the verdicts."),
)
