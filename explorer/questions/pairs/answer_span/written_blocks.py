"""An answer that was written: its tokens with their probabilities, and where it stands."""

from collections.abc import Iterator

from explorer.questions.pairs.answer_span.question import AnswerSpanResult, WrittenToken, parts
from explorer.text import N_, _
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import heading, note
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.parts.spans import spans_in_text

ABOUT = N_(
    "The model read one text, “{layout}”, and wrote the answer token by token, the likeliest one "
    "each time (Raffel et al. 2020, section 2.1). Its probability is the product of its tokens’."
)


def written_blocks(shown: Shown) -> Iterator[Block]:
    """The written tokens, and the passage with the answer in it."""
    result: AnswerSpanResult = shown.result
    yield heading(_("What it wrote"))
    yield ScoredTokens(
        [_token(number, one) for number, one in enumerate(result.written)], _("What it wrote")
    )
    yield heading(_("In the passage"))
    if result.best is not None and result.best.first is None:
        yield note(_("The passage does not say “{answer}”.", answer=result.best.text))
    (spans,) = parts(result)
    yield spans_in_text(spans, shown.asked)
    layout = result.layout.format(question="…", passage="…")
    yield note(_(ABOUT, layout=layout), above=Space.APART)


def _token(number: int, one: WrittenToken) -> ScoredToken:
    lines = [
        _("“{token}”: {chance}", token=text, chance=in_digits(chance))
        if text
        else in_digits(chance)
        for text, chance in one.alternatives
    ]
    return ScoredToken(
        one.text or "␣",
        ("written", number),
        one.probability,
        percent(one.probability, 1),
        words="\n".join(lines),
        special=one.ends,
    )
