"""Every token hidden in turn: how much each surprises the model, and the sentence as a whole."""

from collections.abc import Iterator, Mapping

from explorer.api import ModelCard
from explorer.document import Document, Mask
from explorer.questions.masking.surprisal.exactly import exact_surprisal
from explorer.questions.masking.surprisal.question import (
    FROM_LEFT,
    METHOD,
    OPERATION,
    UNIT,
    SurprisalResult,
    TokenSurprisal,
    method_said,
)
from explorer.questions.masking.surprisal.strip import StripBlock, Unit
from explorer.questions.masking.surprisal.wording import (
    LIKELIHOOD,
    PSEUDO,
    PUT,
    UNITS,
    about_token,
    how_to_read,
    numbers_of,
    verdict,
)
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, _, said
from explorer.text.pieces import drawn
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Gesture, Page, Select
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.numbers import Numbers
from explorer.ui.blocks.text import Text, note, warning
from explorer.ui.document.gestures import put_words
from explorer.ui.sentence import pieces as of


def blocks(shown: Shown) -> Iterator[Block]:
    """The sentence in numbers, a bar under every token, how to read it."""
    result: SurprisalResult = shown.result
    unit = UNITS[shown.value(UNIT)]
    pinned: SurprisalResult | None = shown.before
    yield Text(verdict(result, tells_worst=shown.alone))
    yield Numbers(numbers_of(result, unit, pinned))
    yield _strip(shown, unit, pinned)
    yield from exact_surprisal(shown, unit)
    if pinned is not None:
        yield note(
            _("A line across a bar is where the pinned answer's bar ends.")
            if aligned(pinned, result)
            else _("The pinned answer has other tokens, so only the sums are compared."),
        )
    if result.note:
        yield warning(said(result.note))
    if shown.asked.masks:
        yield note(
            _("The masks of the sentence are lifted here: every token is hidden in its turn."),
        )
    yield note(how_to_read(unit), above=Space.APART, hint=_(PUT))
    yield note(method_said(result.method))
    yield note(_(PSEUDO) if result.is_pseudo else _(LIKELIHOOD))


def _strip(shown: Shown, unit: Unit, pinned: SurprisalResult | None) -> StripBlock:
    result: SurprisalResult = shown.result
    pieces = of.of_tokens(result.tokens, shown.asked)
    asked = {one.position: one for one in result.surprises}
    better = {
        at: drawn(one.predictions[0])
        for at, one in asked.items()
        if one.rank > 1 and one.predictions
    }
    words = {at: about_token(pieces[at].text, one, unit) for at, one in asked.items()}

    def act(what: str, position: int) -> Gesture:
        if what == "token":
            return Select(position)
        place, word = replacement(result, asked[position], shown.asked)
        return put_words(shown.asked, (place, word))

    before = aligned(pinned, result)
    return StripBlock(
        pieces, result.surprises, unit, better, words, before, act, above=Space.SECTION
    )


def replacement(
    result: SurprisalResult, one: TokenSurprisal, document: Document
) -> tuple[Mask, str]:
    """Where the word goes that the model expected at a token, and with which space before it."""
    token, best = result.tokens[one.position], one.predictions[0]
    start, word = token.start, best.word
    text = document.part(token.part)
    if token.joined and best.glue != "before":
        word = f" {word}"
    elif not token.joined and best.glue == "before" and text[:start].endswith(" "):
        start -= 1
    return Mask(start, token.end, token.part), word


def aligned(pinned: SurprisalResult | None, result: SurprisalResult) -> dict[int, float]:
    """The pinned answer's surprises by position, where both have the same tokens."""
    if pinned is None or [t.text for t in pinned.tokens] != [t.text for t in result.tokens]:
        return {}
    return {one.position: one.nats for one in pinned.surprises}


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """A long text in a large model takes many passes."""
    tokens = tokens_about(document)
    return takes_long(card, tokens * tokens)


def disabled(_now: Document, result: SurprisalResult) -> Mapping[str, str]:
    """A model that reads from the left has one method."""
    return {} if result.is_pseudo else {METHOD.key: _(FROM_LEFT)}


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    waits=waits,
    waiting_hint=(
        N_(
            "Every token of the sentence is hidden in turn, which takes this model a while. Press "
            "Run to see how much each of them surprises it."
        )
    ),
    disabled=disabled,
)
