"""The masks that training would draw on the sentence, step by step and over epochs."""

from collections.abc import Iterator, Sequence

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.masking.masking_policy.epochs import EpochBlock
from explorer.questions.masking.masking_policy.question import (
    COPIES,
    DRAW,
    OPERATION,
    POLICY,
    MaskingPolicyRequest,
    MaskingPolicyResult,
)
from explorer.questions.masking.masking_policy.steps import FATE_COLOURS, Steps
from explorer.questions.masking.masking_policy.wording import (
    ONE_DRAW,
    STATIC_DYNAMIC,
    WHY_THREE,
    legend,
    met,
    verdict,
)
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, _, ngettext, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.document.gestures import Edit
from explorer.ui.sentence.pieces import of_tokens


def blocks(shown: Shown) -> Iterator[Block]:
    """One draw in full, and the draws of many epochs."""
    result: MaskingPolicyResult = shown.result
    asked = MaskingPolicyRequest.of(shown.asked)
    number = min(shown.value(DRAW), len(result.draws) - 1)
    draw = result.draws[number]
    pieces = of_tokens(result.tokens, shown.asked)
    yield Text(verdict(result, draw, number))
    yield Picture(lambda width: Steps(pieces, draw, width))
    yield Legend([(said, *FATE_COLOURS[fate]) for fate, said in legend(asked)], above=Space.APART)
    policy = _(POLICY.entry(asked.policy.value).tip)
    yield note(" ".join(part for part in (policy, said(result.note)) if part))
    yield heading(_("Over epochs"))
    yield _grids(shown, number)
    yield note(_(STATIC_DYNAMIC), above=Space.APART, hint=_(ONE_DRAW))
    yield note(_(WHY_THREE))


def _grids(shown: Shown, number: int) -> Columns:
    """Static masks beside dynamic ones."""
    result: MaskingPolicyResult = shown.result
    pieces = of_tokens(result.tokens, shown.asked)
    candidates = [pieces[position] for position in result.candidates]
    epochs = range(len(result.draws))
    copies = min(shown.value(COPIES), len(result.draws))
    again = (
        _("the same masks")
        if copies == 1
        else ngettext("{count} draw in turn", "{count} draws in turn", copies)
    )

    def show(draw: int) -> Edit:
        return shown.setting(DRAW, draw, _("show draw {draw}", draw=draw + 1))

    def grid(title: str, sentence: str, drawn: Sequence[int]) -> EpochBlock:
        said = _("{sentence}.", sentence=sentence)
        return EpochBlock(title, said, candidates, drawn, result.draws, number, show)

    static = _("Static: {again}", again=again)
    grids = (
        grid(static, met(result, copies), [epoch % copies for epoch in epochs]),
        grid(_("Dynamic: new masks every epoch"), met(result, None), epochs),
    )
    cards = [Card([one]) for one in grids]
    return Columns(cards, CardWidth.NARROW, framed=False)


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """A long text over many epochs in a large model takes long."""
    return takes_long(card, tokens_about(document) * MaskingPolicyRequest.of(document).epochs)


PAGE = Page(
    OPERATION,
    blocks,
    waits=waits,
    waiting_hint=(
        N_(
            "The model predicts the masks of every epoch, which takes it a while for so long a "
            "text. Press Run to see them."
        )
    ),
)
