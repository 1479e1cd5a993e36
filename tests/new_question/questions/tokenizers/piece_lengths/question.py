"""Which tokens of a text are long?"""

from dataclasses import dataclass

from explorer.api.question import (
    TOKENS,
    Asks,
    LeftOut,
    Listing,
    ModelStamp,
    Question,
    Rows,
    Token,
    Whole,
    a_text,
    asked,
    column,
)


@dataclass(frozen=True)
class PieceLengthsRequest(Asks):
    """Ask how many letters each token has.

    Attributes:
        text: The sentence.
        least: Shorter tokens are left out.
    """

    text: str
    least: int = asked(Whole("Least letters", 2, "Leave out shorter tokens.", low=1, high=40))


@dataclass(frozen=True)
class PieceLength:
    """A token that is long enough."""

    position: int = column("position", key=True, place=TOKENS)
    token: str = column("token")
    letters: int = column("letters")


@dataclass(frozen=True)
class PieceLengthsResult:
    """The tokens that are long enough."""

    model: ModelStamp
    tokens: tuple[Token, ...]
    lengths: tuple[PieceLength, ...]
    left_out: LeftOut | None = None


def parts(result: PieceLengthsResult) -> tuple[Rows]:
    """A row a token."""
    return (Rows(PieceLength, result.lengths, bar="letters"),)


QUESTION = Question(
    name="piece_lengths",
    title="Piece lengths",
    asks="Which tokens of this text are long?",
    about="Letters are counted as a person writes them.",
    listing=Listing(order=45),
    found_by=("longest token", "긴 토큰"),
    request=PieceLengthsRequest,
    result=PieceLengthsResult,
    parts=parts,
    conditions=(a_text("Type a sentence to see how long its tokens are."),),
)
