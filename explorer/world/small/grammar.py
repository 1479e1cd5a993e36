"""The grammar of the smallest world: two or three sentences about one thing that somebody does.

What the sentences share is drawn above them and handed down: the trade, the thing, the tense, and
who acts. A worker is written "chef.she": which pronoun stands for her is drawn with her, and is not
to be seen before it is said. Steps follow each other in the order of the trade; now and then one is
left out.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from explorer.world.grammar import Grammar, Rule, RuleBook
from explorer.world.language.english import article, is_mass, past, present
from explorer.world.language.english import be as form_of_be
from explorer.world.small.tables import FEELINGS, GOES_WITH, NAMES, OWN, TIMES, TRADES

Alternatives = Iterator[tuple[float, str]]

ONE: Final = "one"
SEVERAL: Final = "several"
MASS: Final = "mass"

STEPS: Final = 3
BEGINS: Final = (4.0, 3.0, 1.0)
"""Which step is told first, by weight."""

rules = RuleBook()


def number_of_thing(thing: str) -> str:
    """Whether a thing is one, several or a mass."""
    if is_mass(thing):
        return MASS
    return SEVERAL if thing.endswith("s") and thing != "bus" else ONE


def pronoun_of(person: str) -> str:
    """The pronoun of who acts."""
    return NAMES[person] if person in NAMES else person.partition(".")[2]


def number_of_person(person: str) -> str:
    """Whether one acts or several."""
    return SEVERAL if pronoun_of(person) == "they" else ONE


def share_of_pronoun(worker: str, pronoun: str, rho: float) -> float:
    """How often a worker who acts alone is "she" or "he": (1 + rho) / 2 of what goes with the job.

    Of the two jobs that a pronoun goes with, which are equally frequent, rho is then the
    correlation of job and pronoun (phi, Pearson's of two yes-or-no variables).
    """
    usual = GOES_WITH.get(worker)
    return 0.5 if usual is None else (1.0 + (rho if pronoun == usual else -rho)) / 2.0


def people(trade: str, rho: float = 0.0) -> Alternatives:
    """Who may act: people by name, the worker of the trade, and now and then one of another."""
    for name in NAMES:
        yield 0.4 / len(NAMES), name
    for worker in TRADES:
        share = OWN if worker == trade else (1.0 - OWN) / (len(TRADES) - 1)
        for pronoun in ("she", "he"):
            often = 2.0 * share_of_pronoun(worker, pronoun, rho)
            yield 0.6 * share * often / 4.0, f"{worker}.{pronoun}"
        yield 0.6 * share * 2.0 / 4.0, f"{worker}.they"


@rules
def document() -> Alternatives:
    """Before now, or now. What the first word tells is drawn first: readers stop there."""
    yield 3.0, "<told past>"
    yield 2.0, "<told present>"


def told_of(rho: float) -> Rule:
    """Of somebody, at what is mostly done by such people; job and pronoun go together by rho."""

    def told(tense: str) -> Alternatives:
        for trade in TRADES:
            for weight, person in people(trade, rho):
                yield weight, f"<made {tense} {person} {trade}>"

    return told


rules(told_of(0.0))


@rules
def made(tense: str, person: str, trade: str) -> Alternatives:
    """Of one thing."""
    for weight, thing in TRADES[trade].things:
        yield weight, f"<story {trade} {thing} {tense} {person}>"


@rules
def story(trade: str, thing: str, tense: str, person: str) -> Alternatives:
    """What happens first, and what comes of it."""
    shared = f"{thing} {tense} {person}"
    for step in range(STEPS):
        yield BEGINS[step], f"<sentence {trade} {step} {shared}> <after {trade} {step} {shared}>"


@rules
def after(trade: str, step: str, thing: str, tense: str, person: str) -> Alternatives:
    """One or two further sentences: steps, and how it ends."""
    shared = f"{thing} {tense} {person}"
    ends = f"<ending {trade} {shared}>"
    yield 1.0, ends
    first = int(step) + 1
    for second in range(first, STEPS):
        follows = f"<later {trade} {second} {shared}>"
        weight = 3.0 if second == first else 0.5
        yield weight, follows
        yield weight, f"{follows} {ends}"
        if second + 1 < STEPS:
            yield weight, f"{follows} <later {trade} {second + 1} {shared}>"


@rules
def sentence(trade: str, step: str, thing: str, tense: str, person: str) -> Alternatives:
    """The first one: who and what are new."""
    says = f"<subject {person}> <deed {trade} {step} {tense} {number_of_person(person)}>"
    says += f" <object {thing}> <circumstance {trade} {step}>"
    yield 2.0, says
    yield 1.0, f"<time {tense}> {says}"


@rules
def later(trade: str, step: str, thing: str, tense: str, person: str) -> Alternatives:
    """A following one: who and what are known."""
    says = f"<again {person}> <next {trade} {step} {tense} {number_of_person(person)}>"
    says += f" <known {thing}> <circumstance {trade} {step}>"
    yield 1.0, says
    yield 1.0, f"then {says}"


@rules
def circumstance(trade: str, step: str) -> Alternatives:
    """Where or with what, if that is said, to the end of the sentence."""
    yield 3.0, "."
    yield 1.0, f"in <determiner the> <place {trade}> ."
    if int(step) + 1 < STEPS:
        yield 1.0, f"with <tool {trade}> ."


@rules
def ending(trade: str, thing: str, tense: str, person: str) -> Alternatives:
    """How the thing is, or who made it."""
    is_so = f"<be {tense} {number_of_thing(thing)}> <way {trade}>"
    feels = f"<be {tense} {number_of_person(person)}> <feeling>"
    yield 2.0, f"<determiner the> <same {thing}> {is_so} ."
    yield 1.0, f"<again {person}> {feels} ."


@rules
def subject(person: str) -> Alternatives:
    """Who acts, said for the first time."""
    if person in NAMES:
        yield 1.0, f"<who {person}>"
    elif pronoun_of(person) == "they":
        yield 3.0, f"<determiner the> <who {person}>"
        yield 1.0, f"<determiner two> <who {person}>"
    else:
        yield 3.0, f"<determiner the> <who {person}>"
        yield 1.0, f"<determiner a> <who {person}>"


@rules
def who(person: str) -> Alternatives:
    """The name or the noun."""
    yield 1.0, _named(person)


@rules
def again(person: str) -> Alternatives:
    """Who acts, once more."""
    yield 2.0, f"<pronoun {pronoun_of(person)}>"
    yield 1.0, f"<same {person}>" if person in NAMES else f"<determiner the> <same {person}>"


@rules
def pronoun(form: str) -> Alternatives:
    """He, she or they."""
    yield 1.0, form


@rules
def same(thing: str) -> Alternatives:
    """A word that was said before."""
    yield 1.0, _named(thing)


@rules
def deed(trade: str, step: str, tense: str, number: str) -> Alternatives:
    """What is done first."""
    yield 1.0, _tensed(TRADES[trade].steps[int(step)], tense, number)


@rules
def next(trade: str, step: str, tense: str, number: str) -> Alternatives:  # noqa: A001
    """What is done after something else."""
    yield 1.0, _tensed(TRADES[trade].steps[int(step)], tense, number)


@rules
def object(thing: str) -> Alternatives:  # noqa: A001
    """What it is done to, said for the first time."""
    number = number_of_thing(thing)
    yield 3.0, f"<determiner the> <what {thing}>"
    new = {ONE: article(thing), SEVERAL: "two", MASS: "some"}[number]
    yield 2.0, f"<determiner {new}> <what {thing}>"


@rules
def what(thing: str) -> Alternatives:
    """The noun."""
    yield 1.0, thing


@rules
def known(thing: str) -> Alternatives:
    """What it is done to, once more."""
    yield 1.0, f"<determiner the> <same {thing}>"
    yield 1.0, f"<it {number_of_thing(thing)}>"


@rules
def it(number: str) -> Alternatives:
    """It or them."""
    yield 1.0, "them" if number == SEVERAL else "it"


@rules
def determiner(form: str) -> Alternatives:
    """As the noun allows it; what is known has "the"."""
    yield 1.0, form


@rules
def time(tense: str) -> Alternatives:
    """When, as the tense has it."""
    for weight, phrase in TIMES[tense]:
        yield weight, phrase.replace("_", " ")


@rules
def place(trade: str) -> Alternatives:
    """Where."""
    yield from TRADES[trade].places


@rules
def tool(trade: str) -> Alternatives:
    """With what."""
    for weight, noun in TRADES[trade].tools:
        yield weight, f"<determiner {article(noun)}> {noun}"


@rules
def be(tense: str, number: str) -> Alternatives:
    """Was, were, is or are."""
    yield 1.0, form_of_be("they" if number == SEVERAL else "it", tense)


@rules
def way(trade: str) -> Alternatives:
    """How a thing is."""
    yield from TRADES[trade].ways


@rules
def feeling() -> Alternatives:
    """How who acts feels."""
    yield from FEELINGS


def _named(thing: str) -> str:
    """A name, or a noun in its number."""
    worker, _, form = thing.partition(".")
    return f"{worker}s" if form == "they" else worker


def _tensed(verb: str, tense: str, number: str) -> str:
    if tense == "past":
        return past(verb)
    return present(verb, "they" if number == SEVERAL else "it")


@functools.lru_cache(maxsize=8)
def smallest_world(rho: float = 0.0) -> Grammar:
    """The grammar, made on first use.

    Args:
        rho: how much job and pronoun go together, from 0 (as in the bundled texts) to below 1.
    """
    return Grammar({**rules, "told": told_of(rho)})
