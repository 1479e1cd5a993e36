"""What to look at first: where two models disagree, or how clear one's class is and why."""

import numpy as np

from explorer.api import Headline
from explorer.api.question.standing_out import lead
from explorer.questions.class_names import matched_by_name
from explorer.questions.pairs.sentence_pair.question import Judgement, Judges, SentencePairResult
from explorer.questions.pairs.sentence_pair.wording import CLASSES
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING


def headline(result: SentencePairResult) -> Headline:
    """What two models of the same classes say, or the class of the first and where it looks."""
    if not result.judgements:
        return Headline(NOTHING)
    first, *others = result.judgements
    for other in others:
        matched = matched_by_name(first.labels, other.labels)
        if matched is not None:
            return Headline(_of_two(first, other, agree=matched[first.best] == other.best))
    return _of_one(first)


def _of_two(one: Judgement, other: Judgement, *, agree: bool) -> Phrase:
    values = {
        "one": one.model.id,
        "label": _named(one, one.best),
        "share": in_percent(float(one.probabilities[one.best])),
        "other": other.model.id,
        "its": in_percent(float(other.probabilities[other.best])),
    }
    if agree:
        return Phrase(
            N_("Both models say “{label}”: {one} with {share}, {other} with {its}."), **values
        )
    return Phrase(
        N_("The models disagree: {one} says “{label}” ({share}), {other} “{second}” ({its})."),
        second=_named(other, other.best),
        **values,
    )


def _of_one(one: Judgement) -> Headline:
    ranked = [
        (_named(one, best), float(one.probabilities[best]))
        for best in np.argsort(-one.probabilities, kind="stable").tolist()
    ]
    return Headline(lead(ranked))


def _named(one: Judgement, number: int) -> str:
    """As its page has it."""
    label = one.labels[number]
    known = one.judges is not Judges.CLASSES and label in CLASSES
    return Phrase(CLASSES[label]) if known else label
