"""Coarser numbers at every token: four numbers, the text on colours, a row a token."""

from collections.abc import Iterator

from explorer.api.question import (
    REFERENCE,
    ROUNDED,
    Amounts,
    Manner,
    Models,
    ModelStamp,
    Player,
    Rows,
    Said,
    Score,
    Scores,
)
from explorer.questions.distillation.numerical_precision import pooling
from explorer.questions.distillation.numerical_precision.question import (
    NumericalPrecisionResult,
    PrecisionRow,
    row_of,
    width_of,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.pieces import readable

LISTED = 15
"""Tokens that are listed, the largest divergence first; files have all."""


def parts(result: NumericalPrecisionResult) -> Iterator[Models | Said | Amounts | Scores | Rows]:
    """Who is compared, what it comes to, and where."""
    yield Models(
        (
            Player(REFERENCE, N_("Reference"), result.model, "bar"),
            Player(ROUNDED, N_("Rounded"), result.other, "bar_second"),
        )
    )
    numbers = Phrase(
        N_("{first} against {second}."), first=_numbers(result.model), second=_numbers(result.other)
    )
    yield Said(numbers, Manner.PLAIN, near=True)
    if width_of(result.model) == width_of(result.other) and result.model == result.other:
        yield Said(
            N_("Both are the same weights in the same numbers: nothing can differ."),
            Manner.WARNING,
        )
    yield from pooling.parts(result.pooled)
    name = N_("KL(reference ‖ rounded) of each token, in nats")
    yield Said(name, Manner.NOTE)
    yield Scores(
        result.tokens,
        tuple(
            Score(one.position, one.divergence, words=_about(result, one.position))
            for one in result.places
        ),
        name,
        is_signed=False,
    )
    ranked = sorted(result.places, key=lambda one: -one.divergence)
    yield Rows(
        PrecisionRow,
        tuple(row_of(result, one) for one in ranked),
        bar="divergence",
        scale=(0.0, ranked[0].divergence or 1.0) if ranked else None,
        most=LISTED,
        chosen=lambda row: bool(row.flipped),
        title=N_("Tokens, those that move most first"),
        in_files=False,
    )


def _numbers(stamp: ModelStamp) -> str:
    return f"{stamp.dtype} ({stamp.device})"


def _about(result: NumericalPrecisionResult, position: int) -> Phrase:
    one = next(place for place in result.places if place.position == position)
    said = (
        N_("“{token}”: KL {nats} nats; the likeliest word is “{first}”, then “{now}”.")
        if one.is_flipped
        else N_("“{token}”: KL {nats} nats; “{first}” stays the likeliest word.")
    )
    return Phrase(
        said,
        token=readable(result.tokens[position].text),
        nats=significant(one.divergence, 2),
        first=readable(one.first),
        now=readable(one.rounded_first),
    )
