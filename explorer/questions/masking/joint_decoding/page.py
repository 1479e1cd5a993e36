"""Several masks filled together, beside what each of them says alone."""

from collections.abc import Iterator

from explorer.api import ModelCard
from explorer.document import MASK_LITERAL, Document
from explorer.questions.masking.joint_decoding.dependence import DependenceTable
from explorer.questions.masking.joint_decoding.fillings import (
    fillings,
    known_fillings,
    shown_fillings,
)
from explorer.questions.masking.joint_decoding.gestures import put_filling, put_next
from explorer.questions.masking.joint_decoding.question import (
    OPERATION,
    JointDecodingRequest,
    JointDecodingResult,
    Method,
)
from explorer.questions.masking.joint_decoding.steps import steps
from explorer.questions.masking.joint_decoding.wording import (
    BARS,
    BARS_FROM_LEFT,
    STEPS,
    STEPS_FROM_LEFT,
    TABLE,
    order_said,
    verdict,
)
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, _, said
from explorer.text.pieces import drawn
from explorer.ui.blocks.beside import Beside
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, note, section
from explorer.ui.blocks.tokens import Tokens

MANY = 200
"""Masks above which it waits with the smallest model too: ten thousand take it a minute."""

OTHER_MASKS = N_(
    "The pinned answer is of masks at other places, so its fillings are not compared with these."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """What came of it, the sentence, the fillings, two masks as a table, the steps."""
    result: JointDecodingResult = shown.result
    names = mask_names(result)
    yield Text(verdict(result))
    yield _sentence(shown, names)
    known_first = " ".join(filter(None, (order_said(result, names), said(result.note))))
    if known_first:
        yield note(known_first)
    known = known_fillings(result, shown.asked, shown.pinned)
    if known is None and shown.pinned is not None:
        yield note(_(OTHER_MASKS))
    yield fillings(shown_fillings(result, known), lambda filling: put_filling(shown, filling))
    yield note(_(BARS) if result.independent is not None else _(BARS_FROM_LEFT))
    found = result.dependence
    if found is not None:
        first, second = names[found.first], names[found.second]
        yield from section(
            _("{capitalize}, once {first} is filled", capitalize=second.capitalize(), first=first),
            _(TABLE, first=first, second=second),
        )
        yield Picture(lambda width: DependenceTable(found, width, first, second))
    yield Beside()
    if len(result.steps) > 1:
        about = _(STEPS) if result.alone else _(STEPS_FROM_LEFT)
        yield from section(_("Step by step"), about)
        yield steps(result, names)


def _sentence(shown: Shown, names: tuple[str, ...]) -> Tokens:
    """The sentence with the best filling; masks are put in order by choosing them."""
    result: JointDecodingResult = shown.result
    when = {mask: step for step, mask in enumerate(result.order, start=1)}
    best = result.fillings[0]
    positions = list(enumerate(result.positions))
    ordered = positions if len(result.order) > 1 else []
    return Tokens(
        result.tokens,
        shown.asked,
        {at: f"{when[mask]}. {drawn(best.chosen[mask])}" for mask, at in positions},
        {
            at: _(
                "{capitalize}, filled as number {when}. Click to put it next in an order "
                "of your own.",
                capitalize=names[mask].capitalize(),
                when=when[mask],
            )
            for mask, at in ordered
        },
        {at: put_next(shown, mask) for mask, at in ordered},
        above=Space.APART,
    )


def mask_names(result: JointDecodingResult) -> tuple[str, ...]:
    """How the masks are called: by their number in the text."""
    return tuple(_("mask {number}", number=number) for number in range(1, len(result.order) + 1))


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """Every mask is read again for each filling that is kept, with the whole text around it."""
    texts = (document.text, document.pair or "")
    masks = len(document.masks) + sum(text.count(MASK_LITERAL) for text in texts)
    request = JointDecodingRequest.of(document)
    kept = request.width if request.method is Method.BEAM else 1
    passes = 1 if request.method is Method.INDEPENDENT else masks * kept
    return masks > MANY or takes_long(card, tokens_about(document) * passes)


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    waits=waits,
    waiting_hint=N_(
        "So many masks, filled together, take this model a while. Press Run to see which words "
        "fit them all."
    ),
)
