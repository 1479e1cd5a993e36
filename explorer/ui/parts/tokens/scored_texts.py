"""Texts with a number for every token, one below the other."""

from collections.abc import Iterator

from explorer.api.question.parts.tokens.scored_texts import ScoredText, ScoredTexts
from explorer.document import Document
from explorer.text import _, said
from explorer.text.formatting.numbers import decimal, signed
from explorer.ui.blocks.block import Block
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens, ShadeBar
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence.pieces import pieces_of_tokens


def blocks(part: ScoredTexts, _looking: Looking) -> Iterator[Block]:
    """Each text, and which number each colour means."""
    name = said(part.name)
    for rank, one in enumerate(part.texts, start=1):
        told = _("{rank}: {name}", rank=rank, name=name)
        yield ScoredTokens(list(_tokens(part, one, rank)), told, high=part.highest)
    yield ShadeBar(part.highest, is_signed=part.is_signed)


def _tokens(part: ScoredTexts, text: ScoredText, rank: int) -> Iterator[ScoredToken]:
    written = signed if part.is_signed else decimal
    pieces = pieces_of_tokens(text.tokens, Document(text.text))
    for place, (piece, value) in enumerate(zip(pieces, text.values, strict=True)):
        key, word = (rank, place), piece.text or piece.piece
        if value is None:
            yield ScoredToken(
                word, key, special=piece.special, part=piece.part, joined=piece.joined
            )
            continue
        words = _("“{token}”: {score}", token=word, score=written(value, 4))
        yield ScoredToken(
            word,
            key,
            value / part.highest,
            written(value, 2),
            words=words,
            part=piece.part,
            joined=piece.joined,
        )
