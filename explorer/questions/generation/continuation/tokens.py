"""What was looked at, as what an answer holds of it."""

from math import exp
from typing import Any

from explorer.hf.generate.looks import StepDistribution
from explorer.hf.predict.predictions import prediction_of
from explorer.questions.generation.continuation.question import Alternative, Cut, WrittenToken


def token_of(
    model: Any,
    number: int,
    text: str,
    seen: StepDistribution,
    *,
    taken: bool = False,
    ends: bool = False,
    position: int | None = None,
    drawn: int = 1,
) -> WrittenToken:
    """A new token.

    Args:
        model: Whose vocabulary.
        number: The piece that was chosen.
        text: What it adds.
        seen: What it was chosen from; the piece is among it.
        taken: It was given.
        ends: It ends the text.
        position: Of a masked model: its place.
        drawn: Of a masked model: how many different pieces stood there.
    """
    every = tuple(alternative_of(model, seen, one.id) for one in seen.pieces)
    chosen = next(one for one in every if one.id == number)
    return WrittenToken(
        chosen.token,
        number,
        text,
        chosen.probability,
        chosen.share,
        chosen.rank,
        seen.entropy,
        seen.left,
        tuple(Cut(*one) for one in seen.cuts),
        every,
        taken=taken,
        ends=ends,
        position=position,
        drawn=drawn,
        by_rank=seen.by_rank,
    )


def alternative_of(model: Any, seen: StepDistribution, number: int) -> Alternative:
    """A piece that could have been chosen."""
    piece = seen.piece(number)
    said = prediction_of(model, number, exp(piece.log_probability), piece.rank)
    return Alternative(
        said.token,
        number,
        said.word,
        said.probability,
        piece.share,
        piece.rank,
        piece.cut_by,
        said.glue,
    )
