"""The smallest world in Korean: what happens is drawn as in English, and said by other rules.

Particles and endings are parts of their words, so that every word is of one rule. There is no
agreement of number, a new subject has 이 or 가 and a known one 은 or 는.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from explorer.world.grammar import Grammar, RuleBook
from explorer.world.korean.hangul import (
    MEANS,
    OBJECT,
    SUBJECT,
    TOPIC,
    Predicate,
    join,
    predicate,
)
from explorer.world.korean.words import ADJECTIVES, NOUNS, PEOPLE, VERBS
from explorer.world.small.grammar import pronoun_of, told_of
from explorer.world.small.grammar import rules as english
from explorer.world.small.tables import FEELINGS, NAMES, TIMES, TRADES

Alternatives = Iterator[tuple[float, str]]

THINGS: Final = {**NOUNS, "beans": "콩", "flowers": "꽃", "easel": "이젤"}
DEEDS: Final = {"sell": "팔", "water": "가꾸", "sketch": "스케치하", "paint": "색칠하"}
WAYS: Final = {**ADJECTIVES, "tall": predicate("크"), "proud": predicate("자랑스럽*")}
WHEN: Final = {
    "yesterday": "어제",
    "last_week": "지난주에",
    "today": "오늘",
    "every_day": "매일",
}

rules = RuleBook({name: english[name] for name in ("document", "told", "made", "story", "after")})
"""What happens is drawn by the same rules."""


@rules
def sentence(trade: str, step: str, thing: str, tense: str, person: str) -> Alternatives:
    """The first one: who and what are new."""
    says = f"<subject {person}> <does {trade} {step} {thing} {tense}>"
    yield 2.0, says
    yield 1.0, f"<time {tense}> {says}"


@rules
def later(trade: str, step: str, thing: str, tense: str, person: str) -> Alternatives:
    """A following one: who and what are known."""
    says = f"<again {person}> <goes_on {trade} {step} {thing} {tense}>"
    yield 1.0, says
    yield 1.0, f"그다음에 {says}"


@rules
def does(trade: str, step: str, thing: str, tense: str) -> Alternatives:
    """Where or with what, if that is said, what to, and the deed."""
    yield from _said(trade, step, f"<what {thing}> <deed {trade} {step} {tense}> .")


@rules
def goes_on(trade: str, step: str, thing: str, tense: str) -> Alternatives:
    """The same of a following deed."""
    yield from _said(trade, step, f"<known {thing}> <next {trade} {step} {tense}> .")


def _said(trade: str, step: str, deed: str) -> Alternatives:
    yield 3.0, deed
    yield 1.0, f"<place {trade}> {deed}"
    if int(step) + 1 < len(TRADES[trade].steps):
        yield 1.0, f"<tool {trade}> {deed}"


@rules
def ending(trade: str, thing: str, tense: str, person: str) -> Alternatives:
    """How the thing is, or who made it."""
    yield 2.0, f"<same {thing} topic> <way {trade} {tense}> ."
    yield 1.0, f"<again {person}> <feeling {tense}> ."


@rules
def subject(person: str) -> Alternatives:
    """Who acts, said for the first time."""
    yield 3.0, f"<who {person}>"
    if pronoun_of(person) == "they":
        yield 1.0, f"<determiner 두> <who {person.partition('.')[0]}.she>"
    elif person not in NAMES:
        yield 1.0, f"<determiner 한> <who {person}>"


@rules
def who(person: str) -> Alternatives:
    """The name or the noun."""
    yield 1.0, join(_named(person), SUBJECT)


@rules
def again(person: str) -> Alternatives:
    """Who acts, once more."""
    yield 2.0, f"<pronoun {pronoun_of(person)}>"
    yield 1.0, f"<same {person} topic>"


@rules
def pronoun(form: str) -> Alternatives:
    """그는, 그녀는 or 그들은."""
    yield 1.0, join(PEOPLE[form], TOPIC)


@rules
def same(thing: str, role: str) -> Alternatives:
    """A word that was said before."""
    yield 1.0, join(_named(thing), TOPIC if role == "topic" else OBJECT)


@rules
def what(thing: str) -> Alternatives:
    """What it is done to, said for the first time."""
    yield 1.0, join(THINGS[thing], OBJECT)


@rules
def known(thing: str) -> Alternatives:
    """What it is done to, once more."""
    yield 1.0, f"<same {thing} object>"
    yield 1.0, "<it>"


@rules
def it() -> Alternatives:
    """Of one thing and of several alike."""
    yield 1.0, "그것을"


@rules
def determiner(form: str) -> Alternatives:
    """한 and 두."""
    yield 1.0, form


@rules
def deed(trade: str, step: str, tense: str) -> Alternatives:
    """What is done first."""
    yield 1.0, _deed(TRADES[trade].steps[int(step)], tense)


@rules
def next(trade: str, step: str, tense: str) -> Alternatives:  # noqa: A001
    """What is done after something else."""
    yield 1.0, _deed(TRADES[trade].steps[int(step)], tense)


@rules
def time(tense: str) -> Alternatives:
    """When, as the tense has it."""
    for weight, phrase in TIMES[tense]:
        yield weight, WHEN[phrase]


@rules
def place(trade: str) -> Alternatives:
    """Where."""
    for weight, noun in TRADES[trade].places:
        yield weight, f"{NOUNS[noun]}에서"


@rules
def tool(trade: str) -> Alternatives:
    """With what."""
    for weight, noun in TRADES[trade].tools:
        yield weight, join(THINGS[noun], MEANS)


@rules
def way(trade: str, tense: str) -> Alternatives:
    """How a thing is."""
    for weight, adjective in TRADES[trade].ways:
        yield weight, _is(adjective, tense)


@rules
def feeling(tense: str) -> Alternatives:
    """How who acts feels."""
    for weight, adjective in FEELINGS:
        yield weight, _is(adjective, tense)


def _named(thing: str) -> str:
    """A name, or a noun in its number."""
    noun, _, form = thing.partition(".")
    korean = PEOPLE[noun] if noun in NAMES else THINGS[noun]
    return f"{korean}들" if form == "they" else korean


def _deed(verb: str, tense: str) -> str:
    said: Predicate = predicate(DEEDS[verb]) if verb in DEEDS else VERBS[verb]
    return said.past() if tense == "past" else said.present()


def _is(adjective: str, tense: str) -> str:
    said = WAYS[adjective]
    return said.past() if tense == "past" else said.plain()


@functools.lru_cache(maxsize=8)
def smallest_world_in_korean(rho: float = 0.0) -> Grammar:
    """The grammar, made on first use; `rho` as in English."""
    return Grammar({**rules, "told": told_of(rho)})
