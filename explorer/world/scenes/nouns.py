"""Noun phrases, verb forms and other parts that every subject uses."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.world.grammar import RuleBook
from explorer.world.language import english
from explorer.world.tables import DAYS, NAMES, PLACE_PREPOSITIONS

Alternatives = Iterable[tuple[float, str]]
rules = RuleBook()


@rules
def noun(lemma: str) -> Alternatives:
    """A noun in the singular."""
    return [(1.0, lemma)]


@rules
def nouns(lemma: str) -> Alternatives:
    """A noun in the plural."""
    return [(1.0, english.plural(lemma))]


@rules
def a(lemma: str) -> Alternatives:
    """A noun with its indefinite article; mass and plural nouns have none."""
    if english.is_mass(lemma) or lemma in english.PLURAL_NOUNS:
        return [(1.0, f"<noun {lemma}>")]
    return [(1.0, f"{english.article(lemma)} <noun {lemma}>")]


@rules
def verb(lemma: str, tense: str, subject: str) -> Alternatives:
    """A finite verb that agrees with its subject."""
    if tense == "past":
        form = english.be(subject, "past") if lemma == "be" else english.past(lemma)
        return [(1.0, form)]
    if tense == "present":
        return [(1.0, english.present(lemma, subject))]
    if tense == "progressive":
        return [(1.0, f"{english.be(subject, 'present')} {english.progressive(lemma)}")]
    return [(1.0, f"will {lemma}")]


@rules
def place(lemma: str) -> Alternatives:
    """Where: preposition, article, noun."""
    return [(1.0, f"{PLACE_PREPOSITIONS.get(lemma, 'in')} the <noun {lemma}>")]


@rules
def first_name(name: str) -> Alternatives:
    """A first name that is spoken of again."""
    return [(1.0, name)]


@rules
def somebody(subject: str) -> Alternatives:
    """Some first name for "he" or "she"; pronouns for the rest."""
    if subject in NAMES:
        return [(weight, f"<first_name {name}>") for weight, name in NAMES[subject]]
    return [(1.0, subject)]


@rules
def on_day() -> Alternatives:
    """A day as a time."""
    return [(1.0, f"on {day}") for day in DAYS]


@rules
def some_day() -> Alternatives:
    """A day."""
    return [(1.0, day) for day in DAYS]


@rules
def past_time() -> Alternatives:
    """A time before now."""
    return [(6.0, "yesterday"), (3.0, "last week"), (2.0, "last night"), (3.0, "<on_day>")]
