"""What the page of many sentences says first is the largest difference that its columns have."""

from dataclasses import replace

import numpy as np

from explorer.files_of_sentences.rows import UNKNOWN, ColumnSpread
from tests.questions.headlines import headline_of, recorded, said_of

SOURCE = recorded("file_of_sentences").source


def spreads(**columns):
    rows = {name.replace("_", " "): np.array(one, dtype=float) for name, one in columns.items()}
    told = [
        ColumnSpread(name, len(one), one.mean(), one.min(), one.max()) for name, one in rows.items()
    ]
    return replace(recorded("file_of_sentences"), spreads=tuple(told))


def test_the_column_of_the_largest_range_is_told():
    result = recorded("file_of_sentences")
    low, high = (
        np.array([getattr(one, bound) for one in result.spreads])
        for bound in ("minimum", "maximum")
    )
    ends = np.maximum(np.maximum(abs(low), abs(high)), 1e-9)
    widest = result.spreads[int(((high - low) / ends).argmax())]
    effect = headline_of("file_of_sentences")
    assert effect.position is None
    assert effect.sentence == (
        f"The sentences of {SOURCE} differ most in “{widest.column}”: from "
        f"{widest.minimum:.3g} to {widest.maximum:,.0f}, with a mean of {widest.mean:,.0f}."
    )


def test_numbers_of_what_is_no_answer_are_passed_over():
    result = spreads(tokens=[5, 7], surprise=[-4.0, -2.5], left_out=[0, 40])
    more = (
        *result.spreads,
        ColumnSpread(UNKNOWN, 2, 1.0, 0.0, 2.0),
        ColumnSpread("rank", 1, 9.0, 9.0, 9.0),
    )
    assert said_of("file_of_sentences", replace(result, spreads=more)) == (
        f"The sentences of {SOURCE} differ most in “surprise”: from −4 to −2.5, with a mean of "
        "−3.25."
    )
    assert not said_of("file_of_sentences", replace(result, spreads=more[-1:]))


def test_what_the_question_is_looked_through_by_comes_first():
    result = replace(spreads(unknown=[0, 9], ratio=[1.5, 2.0]), operation="side_by_side")
    assert said_of("file_of_sentences", result).startswith(
        f"The sentences of {SOURCE} differ most in “ratio”: from 1.5 to 2,"
    )


def test_nothing_is_said_of_sentences_that_are_alike():
    assert not said_of("file_of_sentences", spreads(tokens=[7, 7], unknown=[0, 0]))


def test_what_is_right_or_not_gives_way_to_what_is_measured():
    judged = spreads(probability=[0.5, 0.8, 0.9], right=[0, 1, 0])
    assert said_of("file_of_sentences", judged) == (
        f"The sentences of {SOURCE} differ most in “probability”: from 0.5 to 0.9, with a "
        "mean of 0.733."
    )
    assert "“right”: from 0 to 1" in said_of("file_of_sentences", spreads(right=[0, 1, 1]))
