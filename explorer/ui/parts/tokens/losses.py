"""The losses of tokens: the sentence with a bar below each, and what was expected in its place."""

from collections.abc import Iterator
from dataclasses import replace

from explorer.api.question import Loss, Losses
from explorer.text import _, said
from explorer.text.formatting.numbers import decimal
from explorer.text.pieces import drawn
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.page.beside import Beside
from explorer.ui.blocks.page.page import Select
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import note
from explorer.ui.matrices.barred_tokens import BarredToken, BarredTokens
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_part
from explorer.ui.sentence.pieces import Piece, pieces_of_tokens
from explorer.ui.sentence.tokens.layout import MASK_LABEL


def blocks(part: Losses, looking: Looking) -> Iterator[Block]:
    """The sentence, what the exact answer is, and how a pinned answer is marked."""
    pinned = pinned_part(part, looking)
    before = _aligned(pinned, part)
    losses = {one.position: one for one in part.losses}
    tokens = [
        _token(part, losses.get(place), place, piece, before.get(place), looking)
        for place, piece in enumerate(pieces_of_tokens(part.tokens, looking.shown.asked))
    ]
    two_rows = any(one.seen is not None for one in part.losses)
    yield BarredTokens(tokens, part.least, two_rows)
    if part.legend:
        legend = [(said(words), edge, ground) for words, edge, ground in part.legend]
        yield Legend(legend, above=Space.APART)
    yield Beside()
    if before:
        # Where the tokens are others, the rows of the two answers stand below by their places.
        yield note(_("A line across a bar is where the pinned answer's bar ends."))


def _aligned(pinned: Losses | None, part: Losses) -> dict[int, float]:
    """The pinned answer's losses by position, where both have the same tokens."""
    if pinned is None or [t.text for t in pinned.tokens] != [t.text for t in part.tokens]:
        return {}
    return {one.position: one.value for one in pinned.losses}


def _token(
    part: Losses,
    one: Loss | None,
    place: int,
    piece: Piece,
    before: float | None,
    looking: Looking,
) -> BarredToken:
    token = BarredToken(
        piece.text or MASK_LABEL,
        place,
        joined=piece.joined,
        special=piece.special,
        part=piece.part,
    )
    if one is None:
        return token
    if one.seen is not None:
        colours = (one.seen.edge, one.seen.ground)
        token = replace(token, seen=one.seen.word or MASK_LABEL, seen_colours=colours)
    if one.expected is not None:
        put = looking.act(part.put(one))
        token = replace(token, expected=drawn(one.expected), put=put)
    return replace(
        token,
        value=one.value,
        number=decimal(max(0.0, one.value), part.digits),
        before=before,
        words=said(one.words),
        act=Select(place),
    )
