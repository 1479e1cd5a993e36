"""What to look at first: which layers are most alike, or where states change most.

All of it is read off the unbiased estimator: the other one finds any layers alike where there are
few samples.
"""

from typing import Any

import numpy as np

from explorer.api.question import FIRST, Headline, largest_cell, layer_phrase, stands_out
from explorer.questions.layers.layer_similarity.question import LayerSimilarityResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import with_minus
from explorer.text.phrase import NOTHING

FEWEST = 30
"""Samples below which even the unbiased estimator is mostly noise."""
SAME = 0.95
"""CKA from which on two layers are all but the same."""
ALIKE = 0.5
"""CKA below which no two layers are much alike."""


def headline(result: LayerSimilarityResult, **_settings: Any) -> Headline:
    """Of a student its layers beside those it was made from; else of any two."""
    if result.samples < FEWEST:
        return Headline()
    if result.taught_by:
        return Headline(_of_student(result))
    return Headline(_of_one(result) if result.second is None else _of_two(result))


def _of_student(result: LayerSimilarityResult) -> Phrase:
    rows = result.unbiased if result.student == FIRST else result.unbiased.T
    both = (result.first.layers, result.columns.layers)
    student, teacher = both if result.student == FIRST else both[::-1]
    found = [float(rows[own, taught]) for own, taught in enumerate(result.taught_by, start=1)]
    least = int(np.argmin(found))
    values = {
        "layer": layer_phrase(student[least + 1]),
        "taught": layer_phrase(teacher[result.taught_by[least]]),
        "value": with_minus(found[least], 2),
    }
    if found[least] >= SAME:
        return Phrase(
            N_(
                "Every layer of the student is nearly the one it was made from: even {layer},"
                " the least like it, has an unbiased CKA of {value}."
            ),
            **values,
        )
    if len(found) == 1:
        return Phrase(
            N_(
                "The student's only layer has an unbiased CKA of {value} with the one it was made "
                "from, {taught} of the teacher."
            ),
            **values,
        )
    return Phrase(
        N_(
            "The student's {layer} is least like the one it was made from, {taught} of the "
            "teacher: unbiased CKA {value}, where {other} has {most}."
        ),
        other=layer_phrase(student[int(np.argmax(found)) + 1]),
        most=with_minus(max(found), 2),
        **values,
    )


def _of_one(result: LayerSimilarityResult) -> Phrase:
    steps = np.diagonal(result.unbiased, 1)
    if not len(steps):
        return NOTHING
    before = int(steps.argmin())
    values = {
        "layer": layer_phrase(result.first.layers[before + 1]),
        "before": layer_phrase(result.first.layers[before]),
        "value": with_minus(float(steps[before]), 2),
    }
    if steps[before] >= SAME or not stands_out(-steps, (before,)):
        return NOTHING
    return Phrase(
        N_(
            "The states change most in {layer}: its unbiased CKA with {before} is {value}, "
            "lower than for any other neighbours."
        ),
        **values,
    )


def _of_two(result: LayerSimilarityResult) -> Phrase:
    values = result.unbiased
    row, column = largest_cell(values)
    if values[row, column] < ALIKE:
        return NOTHING
    code = N_(
        "Most alike are {first} of the first model and {second} of the second: their unbiased "
        "CKA is {value}."
    )
    return Phrase(
        code,
        first=layer_phrase(result.first.layers[row]),
        second=layer_phrase(result.columns.layers[column]),
        value=with_minus(float(values[row, column]), 2),
    )
