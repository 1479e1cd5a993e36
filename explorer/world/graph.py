"""People whose jobs only a graph tells: in the text everybody of a name does everything.

Of each first name there are two people of each job. The graph knows everyone's job; a text says
only "Anna used a pan.", so the name tells nothing of the tool, and the person, where it is told
which one is meant, tells all. One of the two, "Anna (baker)", is in training texts; the other one,
"Anna (young baker)", is in none, so that what is known of that one comes from the graph.

All chances are exact: the sentences of a job are few enough to be counted.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from explorer.world.language.english import PLURAL_NOUNS, article, is_mass, past
from explorer.world.tables import ACTIVITIES, PLACE_PREPOSITIONS, Activity, Weighted

NAMES: Final = ("Anna", "Maria", "Emma", "Alice", "Julia", "Tom", "Peter", "David", "Jack", "Henry")
YOUNG: Final = "young "

WORKS_AS: Final = "works as"
USES: Final = "uses"
IS_IN: Final = "is in"

FORMS: Final = (
    (4.0, "{name} used {tool} ."),
    (1.0, "{name} went to the {place} ."),
    (1.0, "{name} {did} the {object} ."),
    (2.0, "{name} was {at} the {place} and used {tool} ."),
    (2.0, "{name} {did} the {object} with {tool} ."),
)
"""What is said of somebody, by weight."""

BLANK: Final = "[MASK]"

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the graph.

    Attributes:
        id: "Q7".
        name: What texts say.
        job: What only the graph says.
        young: In no training text.
    """

    id: str
    name: str
    job: str
    young: bool

    @property
    def title(self) -> str:
        """What the graph calls them: "Anna (young baker)"."""
        return f"{self.name} ({YOUNG if self.young else ''}{self.job})"


@functools.cache
def jobs() -> tuple[str, ...]:
    """All jobs, in the order of the world's table."""
    return tuple(dict.fromkeys(one.job for one in ACTIVITIES))


@functools.cache
def people() -> tuple[Person, ...]:
    """Everybody, in the order of the graph."""
    found = ((name, job, young) for young in (False, True) for job in jobs() for name in NAMES)
    return tuple(Person(f"Q{n}", *one) for n, one in enumerate(found))


@functools.cache
def things() -> Mapping[str, str]:
    """The graph's other entities, jobs, tools and places: the id of each."""
    names = dict.fromkeys(jobs())
    for activity in ACTIVITIES:
        names |= dict.fromkeys(f"the {tool}" for _, tool in activity.tools)
        names |= dict.fromkeys(f"the {place}" for _, place in activity.places)
    first = len(people())
    return {name: f"Q{first + number}" for number, name in enumerate(names)}


def triples() -> Iterator[tuple[str, str, str]]:
    """All that the graph says: head, relation, tail, by id."""
    ids = things()
    for person in people():
        yield person.id, WORKS_AS, ids[person.job]
    told = dict.fromkeys(
        (ids[activity.job], relation, ids[f"the {thing}"])
        for activity in ACTIVITIES
        for relation, given in ((USES, activity.tools), (IS_IN, activity.places))
        for _, thing in given
    )
    yield from told


@functools.cache
def sentences(job: str) -> Mapping[Words, float]:
    """All that is said of somebody of a job, with its chance; the name is left out: "{name}"."""
    rows = [one for one in ACTIVITIES if one.job == job]
    found: dict[Words, float] = {}
    for row in rows:
        for chance, words in _of_row(row):
            found[words] = found.get(words, 0.0) + chance / len(rows)
    return found


def _of_row(row: Activity) -> Iterator[tuple[float, Words]]:
    whole = sum(weight for weight, _ in FORMS)
    for weight, form in FORMS:
        for tool_chance, tool in _shares(row.tools) if "{tool}" in form else ((1.0, ""),):
            for place_chance, place in _shares(row.places) if "{place}" in form else ((1.0, ""),):
                for chance, thing in _shares(row.objects) if "{object}" in form else ((1.0, ""),):
                    text = form.format(
                        name="{name}",
                        tool=_used(tool) if tool else "",
                        place=place,
                        at=PLACE_PREPOSITIONS.get(place, "in"),
                        object=thing,
                        did=past(row.verb),
                    )
                    yield weight / whole * tool_chance * place_chance * chance, tuple(text.split())


def _shares(words: Weighted) -> tuple[tuple[float, str], ...]:
    whole = sum(weight for weight, _ in words)
    return tuple((weight / whole, word) for weight, word in words)


def _used(tool: str) -> str:
    """A tool with its article, where it takes one."""
    if is_mass(tool) or tool in PLURAL_NOUNS:
        return tool
    return f"{article(tool)} {tool}"


def words_at(sentence: Sequence[str], job: str | None = None) -> Mapping[str, float]:
    """The chance of each word at the blank of a sentence about somebody.

    Args:
        sentence: Words and marks; one is BLANK, and the first is a name, of which nothing follows.
        job: What the one who is meant does; None where nobody says who is meant.

    Raises:
        ValueError: Nobody says such a sentence of anybody, or of somebody of this job.
    """
    blank = list(sentence).index(BLANK)
    if blank == 0:
        raise ValueError("a name can't be told from what is said of it")
    found: dict[str, float] = {}
    for one in jobs() if job is None else (job,):
        for words, chance in sentences(one).items():
            if len(words) == len(sentence) and all(
                seen == said or place in (0, blank)
                for place, (seen, said) in enumerate(zip(sentence, words, strict=True))
            ):
                found[words[blank]] = found.get(words[blank], 0.0) + chance
    whole = math.fsum(found.values())
    if not whole:
        raise ValueError("no such sentence is said of anybody")
    return {word: chance / whole for word, chance in found.items()}


def entropy(chances: Mapping[str, float]) -> float:
    """In nats."""
    return -math.fsum(p * math.log(p) for p in chances.values() if p)


@dataclass(frozen=True, slots=True)
class DrawnSentence:
    """A drawn sentence.

    Attributes:
        person: Whom it is about.
        words: Words and marks; the first is the name.
    """

    person: Person
    words: Words

    @property
    def text(self) -> str:
        """As it is written."""
        return " ".join(self.words).replace(" .", ".")


def draw(generator: np.random.Generator, *, young: bool = False) -> DrawnSentence:
    """Somebody, and something that is said of them.

    Args:
        generator: Source of randomness.
        young: Of those who are in no training text.
    """
    some = _of_age(young)
    person = some[int(generator.integers(len(some)))]
    told, chances = _drawn_from(person.job)
    words = told[int(generator.choice(len(told), p=chances))]
    return DrawnSentence(person, (person.name, *words[1:]))


@functools.cache
def _of_age(young: bool) -> tuple[Person, ...]:
    return tuple(one for one in people() if one.young == young)


@functools.cache
def _drawn_from(job: str) -> tuple[tuple[Words, ...], np.ndarray]:
    found = sentences(job)
    chances = np.array(list(found.values()))
    return tuple(found), chances / chances.sum()
