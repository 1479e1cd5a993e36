"""The sentence, as the strip above draws it."""

from collections.abc import Iterator

from explorer.api.question import Sentence
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence.pieces import tail_note


def blocks(part: Sentence, looking: Looking) -> Iterator[Block]:
    """Its tokens in lines."""
    shown = looking.shown
    if part.only_alone and not shown.alone:
        return
    yield Tokens(
        part.tokens,
        shown.asked,
        {at: said(one) for at, one in part.notes.items()},
        {at: said(one) for at, one in part.words.items()},
        {at: looking.act(one) for at, one in part.gestures.items()},
        tail_note(part.left_out, shown.asked),
        Space.NEAR if part.only_alone else Space.APART,
    )
