"""What to look at first: what was asked for, nearest pieces or another vocabulary, or the use."""

from collections.abc import Callable

from explorer.api.question import Headline
from explorer.questions.tokenizers.vocabulary.options import NearnessMeasure
from explorer.questions.tokenizers.vocabulary.question import (
    NearestPieces,
    NearPiece,
    Overlap,
    VocabularyResult,
    VocabularyRow,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant, with_minus
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING

FAR = 0.3
"""A cosine below which nothing is near: vectors of a hundred numbers drawn at random reach it."""


def headline(result: VocabularyResult, **_looked_at: object) -> Headline:
    """The nearest pieces; else what both vocabularies share.

    What is used most is the same for every text, and nothing to look at first.
    """
    near = [one for one in result.neighbours if one.nearest]
    if result.piece is not None and near:
        return Headline(_of_neighbours(result.piece, result.measure, near))
    if result.overlap is not None and result.overlap.shared + result.overlap.here:
        return Headline(_of_overlap(result.overlap))
    return Headline()


def _of_neighbours(
    piece: VocabularyRow, measure: NearnessMeasure, near: list[NearestPieces]
) -> Phrase:
    told: Callable[[NearPiece], str] = _dot if measure is NearnessMeasure.DOT else _cosine
    first, *others = near
    best = first.nearest[0]
    values = {"piece": piece.text, "near": best.piece.text, "score": told(best)}
    if max(one.nearest[0].cosine for one in near) < FAR:
        return NOTHING
    other = next(
        (one.nearest[0] for one in others if one.nearest[0].piece.id != best.piece.id), None
    )
    if other is not None:
        values |= {"other": other.piece.text, "its": told(other)}
        return Phrase(
            N_(
                "The two tables differ: nearest to “{piece}” is “{near}” ({score}) as the model "
                "reads, and “{other}” ({its}) as it writes."
            ),
            **values,
        )
    if len(first.nearest) == 1:
        return Phrase(N_("Nearest to “{piece}” is “{near}” ({score})."), **values)
    second = first.nearest[1]
    values |= {"second": second.piece.text, "its": told(second)}
    if measure is NearnessMeasure.DOT:
        return Phrase(
            N_(
                "Nearest to “{piece}” by the product of both vectors are “{near}” ({score}) and "
                "“{second}” ({its})."
            ),
            **values,
        )
    return Phrase(
        N_("Nearest to “{piece}” by cosine are “{near}” ({score}) and “{second}” ({its})."),
        **values,
    )


def _cosine(one: NearPiece) -> str:
    return with_minus(one.cosine, 2)


def _dot(one: NearPiece) -> str:
    return significant(one.dot, 3).replace("-", "−")


def _of_overlap(overlap: Overlap) -> Phrase:
    ours = overlap.shared / (overlap.shared + overlap.here)
    theirs = overlap.shared / (overlap.shared + overlap.there) if overlap.shared else 0.0
    return Phrase(
        N_(
            "By what they spell, {ours} of these pieces are in the vocabulary of {title}, too, and "
            "{theirs} of its pieces are here."
        ),
        ours=in_percent(ours),
        theirs=in_percent(theirs),
        title=overlap.title,
    )
