"""The masks that training would draw on the sentence: the picture of every epoch."""

from collections.abc import Iterator, Sequence

from explorer.questions.masking.masking_policy.epochs import EpochBlock
from explorer.questions.masking.masking_policy.parts import EPOCHS
from explorer.questions.masking.masking_policy.question import (
    COPIES,
    DRAW,
    QUESTION,
    MaskingPolicyResult,
)
from explorer.text import _, ngettext
from explorer.ui.blocks import (
    Card,
    CardWidth,
    Columns,
    Edit,
    Shown,
    page_of_parts,
    pieces_of_tokens,
)


def grids(shown: Shown) -> Iterator[Columns]:
    """Static masks beside dynamic ones."""
    result: MaskingPolicyResult = shown.result
    pieces = pieces_of_tokens(result.tokens, shown.asked)
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

    def grid(title: str, sentence: str, drawn: Sequence[int]) -> Card:
        said = _("{sentence}.", sentence=sentence)
        number = min(shown.value(DRAW), len(result.draws) - 1)
        return Card([EpochBlock(title, said, candidates, drawn, result.draws, number, show)])

    static = _("Static: {again}", again=again)
    cards = [
        grid(static, met(result, copies), [epoch % copies for epoch in epochs]),
        grid(_("Dynamic: new masks every epoch"), met(result, None), epochs),
    ]
    yield Columns(cards, CardWidth.NARROW, framed=False)


def met(result: MaskingPolicyResult, copies: int | None) -> str:
    """How many tokens ever gave a loss."""
    epochs = len(result.draws)
    trained = result.trained(epochs, copies)
    tokens = len(result.candidates)
    of = ngettext(
        "{trained} of {count} token", "{trained} of {count} tokens", tokens, trained=trained
    )
    return ngettext(
        "{tokens} gave a loss in {count} epoch",
        "{tokens} gave a loss in {count} epochs",
        epochs,
        tokens=of,
    )


PAGE = page_of_parts(QUESTION, {EPOCHS: grids})
