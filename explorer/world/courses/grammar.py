"""The grammar of courses of events: a topic, a thing, and a stretch of what happens one by one.

Which form a sentence has, who acts, and what stands behind are drawn for every sentence alike,
whatever its place. So a form says nothing of order, and neither does who acts.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from explorer.world.courses.tables import (
    CHRONICLES,
    TOPICS,
    WORKS,
    Deed,
    goes_round,
    happenings,
)
from explorer.world.grammar import Grammar, RuleBook

Alternatives = Iterator[tuple[float, str]]

SHORTEST: Final = 4
LONGEST: Final = 8
# The thing of a topic that has none.
NOTHING: Final = "-"

rules = RuleBook()


def stretches(topic: str) -> Iterator[tuple[int, int]]:
    """Start and length of every stretch that a document may tell.

    Where times come round, a stretch takes little more than half of them at most: turned round, the
    way back would otherwise be as short as the way there.
    """
    count = happenings(topic)
    comes_again = goes_round(topic)
    longest = count // 2 + 1 if comes_again else count
    for length in range(SHORTEST, min(longest, LONGEST) + 1):
        for start in range(count if comes_again else count - length + 1):
            yield start, length


@rules
def document() -> Alternatives:
    """A document is about one topic."""
    for topic in TOPICS:
        yield 1.0, f"<course {topic}>"


@rules
def course(topic: str) -> Alternatives:
    """About one thing."""
    for thing in WORKS[topic].things if topic in WORKS else (NOTHING,):
        yield 1.0, f"<told {topic} {thing}>"


@rules
def told(topic: str, thing: str) -> Alternatives:
    """All lengths are as likely, and all starts of a length."""
    known = list(stretches(topic))
    for start, length in known:
        alike = sum(other == length for _, other in known)
        events = (
            f"<event {topic} {thing} {(start + n) % happenings(topic)}>" for n in range(length)
        )
        yield 1.0 / alike, " ".join(events)


@rules
def event(topic: str, thing: str, number: str) -> Alternatives:
    """One sentence, in any form."""
    if topic in WORKS:
        deed = WORKS[topic].steps[int(number)]
        named = Deed(deed.verb, thing if deed.what == "@" else deed.what)
        yield from _forms(named, topic, f"<adjunct {topic}>")
        return
    for deed in CHRONICLES[topic].deeds:
        yield from _timed(deed, topic, CHRONICLES[topic].times[int(number)])


def _forms(deed: Deed, topic: str, adjunct: str) -> Alternatives:
    """Active and passive, with what stands behind and without."""
    active, passive = _voices(deed, topic)
    yield 3.0, f"{active} ."
    yield 2.0, f"{active} {adjunct} ."
    yield 2.0, f"{passive} by the <actor {topic}> ."
    yield 2.0, f"{passive} {adjunct} ."


def _timed(deed: Deed, topic: str, time: str) -> Alternatives:
    """Active and passive, with the time before and behind."""
    active, passive = _voices(deed, topic)
    yield 1.0, f"{active} {time} ."
    yield 1.0, f"{time} {active} ."
    yield 1.0, f"{passive} {time} ."
    yield 1.0, f"{time} {passive} ."


def _voices(deed: Deed, topic: str) -> tuple[str, str]:
    were = "were" if deed.what.endswith("s") else "was"
    return (
        f"the <actor {topic}> {deed.verb} the {deed.what}",
        f"the {deed.what} {were} {deed.verb}",
    )


@rules
def actor(topic: str) -> Alternatives:
    """Who acts in one sentence."""
    for one in (WORKS[topic] if topic in WORKS else CHRONICLES[topic]).actors:
        yield 1.0, one


@rules
def adjunct(topic: str) -> Alternatives:
    """What may stand behind."""
    for one in WORKS[topic].adjuncts:
        yield 1.0, one


@functools.cache
def courses() -> Grammar:
    """The grammar, made on first use."""
    return Grammar(rules)
