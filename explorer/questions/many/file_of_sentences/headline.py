"""What to look at first: the number in which the sentences of a file differ most."""

import math
from collections.abc import Sequence
from pathlib import PurePath

from explorer.api.question import Headline
from explorer.files_of_sentences.compared import column_of, parted
from explorer.files_of_sentences.rows import UNKNOWN, ColumnSpread
from explorer.questions.many.file_of_sentences.question import (
    FileOfSentencesResult,
    kept_columns,
    question_asked,
    results_of,
)
from explorer.questions.many.file_of_sentences.titles import column_title
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import localised, significant
from explorer.text.phrase import NOTHING

FEW = 2
"""Rows below which there is no difference to tell of."""
LARGE = 1000.0
"""Numbers from here on are told without decimals."""


def headline(result: FileOfSentencesResult) -> Headline:
    """The column that the question is looked through by, else that of the largest range.

    Ranges are measured against the number that is farthest from nought, since columns have units
    of their own.
    """
    question = question_asked(result.operation)
    spreads = [
        one
        for one in result.spreads
        if one.count >= FEW
        and parted(one.column)[0] not in (*kept_columns(result), UNKNOWN)
        # Tokens that did not fit: a fact about the texts, and no answer.
        and parted(one.column)[0] != "left out"
        and math.isfinite(one.maximum - one.minimum)
    ]
    if not spreads:
        return Headline(NOTHING)
    if result.beside:
        return _of_several(result, spreads)
    worst = question.sort_by if question else ""
    asked = [one for one in spreads if one.column == worst and _range(one)]
    # That some are right and others are not is what a mean says, and no range.
    measured = [one for one in spreads if not _says_yes_or_no(one)] or spreads
    widest = next(iter(asked), None) or max(measured, key=_range)
    values = {
        "column": column_title(widest.column, result.operation),
        "least": _told(widest.minimum),
        "most": _told(widest.maximum),
        "mean": _told(widest.mean),
    }
    if not _range(widest):
        return Headline()
    sentence = Phrase(
        N_(
            "The sentences of {source} differ most in “{column}”: from {least} to {most}, with a "
            "mean of {mean}."
        ),
        source=result.source,
        **values,
    )
    return Headline(sentence)


def _of_several(result: FileOfSentencesResult, spreads: Sequence[ColumnSpread]) -> Headline:
    """The column in which a model's mean differs most from the first one's, for its size."""
    means = {one.column: one.mean for one in spreads}
    first, *others = (name for name, _reader in results_of(result).each)
    found: list[tuple[float, str, float, float, str]] = []
    for column in dict.fromkeys(parted(one.column)[0] for one in spreads):
        one = means.get(column_of(column, first))
        for other in others:
            two = means.get(column_of(column, other))
            if one is not None and two is not None and one != two:
                share = abs(two - one) / max(abs(one), abs(two))
                found.append((share, column, one, two, other))
    if not found:
        return Headline()
    _share, column, one, two, second = max(found)
    sentence = Phrase(
        N_(
            "Over {source}, the models differ most in “{column}”: {one} by {first}, {two} by "
            "{second} on average."
        ),
        source=result.source,
        column=column_title(column, result.operation),
        one=_told(one),
        two=_told(two),
        first=PurePath(first).name,
        second=PurePath(second).name,
    )
    return Headline(sentence)


def _says_yes_or_no(one: ColumnSpread) -> bool:
    """Whether a column has noughts and ones alone."""
    ones = one.mean * one.count
    return (one.minimum, one.maximum) == (0.0, 1.0) and math.isclose(ones, round(ones))


def _range(one: ColumnSpread) -> float:
    farthest = max(abs(one.minimum), abs(one.maximum))
    return (one.maximum - one.minimum) / farthest if farthest else 0.0


def _told(number: float) -> str:
    if abs(number) >= LARGE:
        return localised(f"{number:,.0f}".replace("-", "−"))
    return significant(number, 3).replace("-", "−")
