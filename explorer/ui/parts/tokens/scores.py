"""Numbers of tokens: the sentence with each token on its colour, its number below."""

from collections.abc import Iterator

from explorer.api.question import Score, Scores
from explorer.text import _, said
from explorer.text.formatting.numbers import decimal, signed
from explorer.ui.blocks.block import Block
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens, ShadeBar
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence.pieces import Piece, pieces_of_tokens
from explorer.ui.sentence.tokens.layout import MASK_LABEL


def blocks(part: Scores, looking: Looking) -> Iterator[Block]:
    """The sentence, and which number each colour stands for."""
    name = said(part.name)
    yield ScoredTokens(list(_tokens(part, looking, name)), name, high=part.highest)
    yield ShadeBar(part.highest, is_signed=part.is_signed)


def _tokens(part: Scores, looking: Looking, name: str) -> Iterator[ScoredToken]:
    scores = {one.position: one for one in part.scores}
    inside = {place for one in part.scores for place in one.rest}
    for place, piece in enumerate(pieces_of_tokens(part.tokens, looking.shown.asked)):
        if place in scores:
            yield _scored(part, scores[place], piece, (name, place), looking)
        elif place not in inside:
            text, is_asked = _text(piece), place == part.asked
            yield ScoredToken(
                text,
                (name, place),
                asked=is_asked,
                words=_("“{token}”: what is explained", token=text) if is_asked else "",
                special=piece.special,
                part=piece.part,
                joined=piece.joined,
            )


def _scored(
    part: Scores, one: Score, piece: Piece, key: tuple[str, int], looking: Looking
) -> ScoredToken:
    text = one.word or _text(piece)
    words = _("“{token}”: {score}", token=text, score=written(one.value, 4))
    if one.error:
        words = _(
            "“{token}”: {score}, standard error {error}",
            token=text,
            score=written(one.value, 4),
            error=decimal(one.error, 4),
        )
    number = written(one.value, part.digits) if part.is_signed else decimal(one.value, part.digits)
    return ScoredToken(
        text,
        key,
        one.value / part.highest,
        number,
        f"±{decimal(one.error, part.digits)}" if one.error else "",
        "\n".join(filter(None, (words, said(one.words)))),
        looking.act(one.gesture),
        asked=one.position == part.asked,
        special=piece.special,
        part=piece.part,
        joined=piece.joined,
    )


def written(value: float, digits: int) -> str:
    """A number with its sign, as a score has."""
    return signed(value, digits, nought="")


def _text(piece: Piece) -> str:
    """What stands at a place, as the sentence has it."""
    return MASK_LABEL if piece.masked else piece.text or piece.piece
