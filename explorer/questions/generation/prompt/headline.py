"""What to look at first: what examples change, what their order changes, or what leads."""

import math
from collections import Counter
from typing import Any

import numpy as np

from explorer.api.question import Headline, is_close
from explorer.questions.generation.prompt.answers.rules import Rule, shares
from explorer.questions.generation.prompt.question import PromptResult
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING

ERRORS = 2.0
"""Standard errors that accuracies must be apart: few rows differ by chance."""


def headline(result: PromptResult, **_looked_at: Any) -> Headline:
    """Of two models what tells them apart; of one the examples, their order, or the answer."""
    if not result.scores:
        return Headline(NOTHING)
    if result.second is not None:
        return Headline(_of_two(result, result.second))
    return Headline(_of_examples(result) or _of_order(result) or _of_answer(result))


def _share(result: PromptResult) -> str:
    """Of the answer among all that may be answered."""
    return in_percent(float(shares(result.scores, Rule.SUM).max()))


def _of_two(first: PromptResult, second: PromptResult) -> Phrase:
    code = (
        N_(
            "Both models answer “{answer}”: in the first it has {share} of all possible "
            "answers' probability, in the second {its}."
        )
        if first.answer.option == second.answer.option
        else N_(
            "The models differ: the first answers “{answer}” ({share} of all possible answers' "
            "probability), the second “{other}” ({its})."
        )
    )
    return Phrase(
        code,
        answer=first.answer.option,
        share=_share(first),
        other=second.answer.option,
        its=_share(second),
    )


def _of_examples(result: PromptResult) -> Phrase | None:
    """The number of examples that changes accuracy most; None where it may be chance."""
    curve = result.curve
    if curve is None or len(curve.counts) < 2 or curve.counts[0] or not result.rows:
        return None
    right = curve.right[0].mean(axis=1)
    at = int(abs(right - right[0]).argmax())
    # The orders ask the same rows, and are no further ones. Of few rows all may be right by chance,
    # so each share has one more row that is right and one that is not (Agresti and Caffo 2000).
    rows = result.rows + 2
    none, most = ((float(right[n]) * result.rows + 1) / rows for n in (0, at))
    error = math.sqrt((none * (1 - none) + most * (1 - most)) / rows)
    if abs(most - none) <= ERRORS * error:
        return None
    return Phrase(
        NN_(
            "Accuracy changes most with {count} example: {after} right, {before} with none.",
            "Accuracy changes most with {count} examples: {after} right, {before} with none.",
        ),
        count=curve.counts[at],
        after=in_percent(float(right[at])),
        before=in_percent(float(right[0])),
    )


def _of_order(result: PromptResult) -> Phrase | None:
    """What the same examples give in other orders; None where that is the same answer."""
    if len(result.by_order) < 2:
        return None
    found = [result.scores[int(n)].option for n in np.argmax(result.by_order, axis=1)]
    others = Counter(one for one in found if one != result.answer.option)
    if not others:
        return None
    other, count = others.most_common(1)[0]
    return Phrase(
        N_(
            "The order of the examples decides: “{answer}” in the one shown, but “{other}” in "
            "{some} of {orders} orders."
        ),
        answer=result.answer.option,
        other=other,
        some=str(count),
        orders=str(len(found)),
    )


def _of_answer(result: PromptResult) -> Phrase:
    if len(result.scores) < 2:
        return NOTHING
    values = shares(result.scores, Rule.SUM)
    best, second = np.argsort(-values, kind="stable")[:2]
    code = (
        N_(
            "“{answer}” is hardly ahead of “{second}”: {share} and {its} of all possible answers' "
            "probability."
        )
        if is_close(values[best], values[second])
        else N_(
            "“{answer}” leads clearly: {share} of all possible answers' probability, ahead of "
            "“{second}” with {its}."
        )
    )
    return Phrase(
        code,
        answer=result.scores[best].option,
        share=in_percent(float(values[best])),
        second=result.scores[second].option,
        its=in_percent(float(values[second])),
    )
