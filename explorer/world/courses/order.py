"""The order of sentences, from the tables alone: a second way to it, which knows no grammar.

A sentence is read as a bag of words: which topic's deed or time it names. That is what a reader who
knows the world does, and the most that a model can do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.world.courses.tables import CHRONICLES, WORKS, goes_round, happenings


@dataclass(frozen=True, slots=True)
class Happening:
    """What a sentence tells: of which topic, and the number of its step or time."""

    topic: str
    number: int


def happening(sentence: Sequence[str]) -> Happening:
    """Of a sentence's words, in any case.

    Raises:
        ValueError: It tells nothing of the tables.
    """
    words = {word.lower() for word in sentence}
    for topic, work in WORKS.items():
        if words & set(work.things) or any(step.what in words for step in work.steps):
            for number, step in enumerate(work.steps):
                if step.verb in words and (step.what in words or step.what == "@"):
                    return Happening(topic, number)
    for topic, chronicle in CHRONICLES.items():
        if any(deed.verb in words and deed.what in words for deed in chronicle.deeds):
            for number, time in enumerate(chronicle.times):
                if words.issuperset(time.lower().split()):
                    return Happening(topic, number)
    raise ValueError(f"Nothing that happens: {' '.join(sentence)}")


def following_of(last: Happening) -> Happening | None:
    """What happens next; None where that was the last."""
    number = last.number + 1
    if number == happenings(last.topic):
        return Happening(last.topic, 0) if goes_round(last.topic) else None
    return Happening(last.topic, number)


def follows(first: Happening, second: Happening) -> bool:
    """Whether the second is what happens next."""
    return following_of(first) == second


def in_order(sentences: Sequence[Sequence[str]]) -> list[int]:
    """The numbers of sentences, in the order in which the world lets them happen.

    Raises:
        ValueError: They are of several topics, or leave something out.
    """
    told = [happening(sentence) for sentence in sentences]
    before = {
        n: [m for m, other in enumerate(told) if follows(other, told[n])] for n in range(len(told))
    }
    begins = [n for n, found in before.items() if not found]
    if len(begins) != 1:
        raise ValueError("Their order is not told.")
    order = begins
    while len(order) < len(told):
        following = [n for n, found in before.items() if found == [order[-1]]]
        if len(following) != 1:
            raise ValueError("Their order is not told.")
        order = [*order, *following]
    return order
