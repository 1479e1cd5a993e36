"""People: known by name and job, related to each other, giving and losing things."""

from __future__ import annotations

import itertools

from explorer.world.grammar import RuleBook
from explorer.world.language import english
from explorer.world.scenes.nouns import Alternatives
from explorer.world.tables import ACTIVITIES, DRINKS, FOODS, NAMES, PEOPLE, Weighted, weighted

rules = RuleBook()

BY_FIRST_NAME = {first: (last, who, job) for first, last, who, job in PEOPLE}
FIRST_ACTIVITY = {activity.job: index for index, activity in reversed([*enumerate(ACTIVITIES)])}

# relation of the first to the second, by sex of the first: inverse by sex of the second.
RELATIONS = (
    (("mother", "father"), ("daughter", "son")),
    (("daughter", "son"), ("mother", "father")),
    (("sister", "brother"), ("sister", "brother")),
    (("grandmother", "grandfather"), ("granddaughter", "grandson")),
    (("aunt", "uncle"), ("niece", "nephew")),
    (("friend", "friend"), ("friend", "friend")),
)
GIFTS = weighted("book:4 apple:3 flower:3 letter:2 ball:2 cake:2 picture:2 coat key:2 coin")
LOSSES = weighted("key:4 book:3 hat:3 bag:3 phone:3 dog:2 umbrella:2 coat:2")
MEETINGS = weighted("park:4 library:3 cafe:3 school:3 museum:2 station:2 market:2")
FRUITS: Weighted = weighted("apple:4 banana:3 tomato:2 egg:3 potato:2 cookie:2 flower rose")


@rules
def full_name(first: str) -> Alternatives:
    """First and last name: they belong together."""
    return [(1.0, f"{first} {BY_FIRST_NAME[first][0]}")]


@rules
def known_person() -> Alternatives:
    """Choose who is spoken of."""
    return [(1.0, f"<person_told {first}>") for first in BY_FIRST_NAME]


@rules
def person_told(first: str) -> Alternatives:
    """Name and job, in either order, and what the person does."""
    _, who, job = BY_FIRST_NAME[first]
    name, index = f"<full_name {first}>", FIRST_ACTIVITY[job]
    the_job, a_job = f"the <noun {job}>", f"<a {job}>"
    does = f"<person_does {who} {index}>"
    yield 3.0, f"{name} is {a_job} . {does}"
    yield 3.0, f"the name of {the_job} is {name} ."
    yield 1.0, f"the name of {the_job} is {name} . {does}"
    yield 1.0, f"{the_job} is called {name} . {does}"
    yield 1.0, f"who is {name} ? {who} is {a_job} ."
    yield 1.0, f"everyone knows {name} , {the_job} ."
    yield 1.0, f"{name} is a famous <noun {job}> . {does}"
    yield 1.0, f"when {name} was young , {who} wanted to be {a_job} . now {who} is {a_job} ."


@rules
def person_does(who: str, index: str) -> Alternatives:
    """What somebody with a job does, with the pronoun that refers back."""
    verb = f"<verb {ACTIVITIES[int(index)].verb} present {who}>"
    yield 2.0, f"{who} works <work_place {index}> ."
    yield 1.0, f"{who} often uses <tool {index}> ."
    for weight, thing in ACTIVITIES[int(index)].objects:
        yield 0.3 * weight, f"{who} {verb} <nouns {thing}> every day ."


@rules
def relatives() -> Alternatives:
    """A relation and its inverse: the pronoun and the noun follow the sexes."""
    for first_is, second_is in RELATIONS:
        for one, other in itertools.product(("she", "he"), repeat=2):
            relation = first_is[one == "he"]
            inverse = second_is[other == "he"]
            args = f"{one} {other} {relation} {inverse}"
            yield 1.0, f"<related {args}>"
    yield 2.0, "<married she>"
    yield 2.0, "<married he>"


@rules
def related(one: str, other: str, relation: str, inverse: str) -> Alternatives:
    """Two people and what each is to the other."""
    his = english.possessive(one)
    for weight, name in NAMES[other]:
        yield (
            2.0 * weight,
            (f"<somebody {one}> is the {relation} of {name} . {name} is {his} {inverse} ."),
        )
        yield (
            weight,
            (
                f"<somebody {one}> has {english.article(inverse)} {inverse} ."
                f" {his} {inverse} is called {name} ."
            ),
        )
        yield (
            weight,
            (
                f"{name} has {english.article(relation)} {relation} ."
                f" {one} is called <somebody {one}> ."
            ),
        )


@rules
def married(one: str) -> Alternatives:
    """Husband and wife."""
    other = "he" if one == "she" else "she"
    own, partner = ("wife", "husband") if one == "she" else ("husband", "wife")
    for weight, name in NAMES[other]:
        yield (
            weight,
            (
                f"<somebody {one}> is the {own} of {name} . {name} is"
                f" {english.possessive(one)} {partner} ."
            ),
        )


@rules
def between_people() -> Alternatives:
    """Giving, losing, meeting, buying: who and what is referred back to."""
    for one, other in itertools.product(("she", "he"), repeat=2):
        yield 2.0, f"<gift {one} {other}>"
    for who in ("she", "he"):
        yield 2.0, f"<loss {who}>"
        yield 2.0, f"<shopping {who}>"
    yield 3.0, "<meeting>"
    yield 1.0, "<loss I>"
    yield 1.0, "<shopping I>"
    yield 1.0, "<shopping we>"


@rules
def gift(giver: str, receiver: str) -> Alternatives:
    """Somebody gives something; the other thanks, or uses it."""
    him = english.objective(giver)
    for weight, thing in GIFTS:
        gives = (
            f"<somebody {giver}> gave the <noun {thing}> to <somebody {receiver}> .",
            f"<somebody {giver}> gave <somebody {receiver}> <a {thing}> .",
        )
        for sentence in gives:
            # When both are of one sex a pronoun could be either: the name-free answer is kept.
            if giver != receiver:
                yield weight, f"{sentence} {receiver} thanked {him} ."
            yield weight, f"{sentence} {receiver} was happy ."
        if thing in ("apple", "cake"):
            yield weight, f"{gives[1]} {receiver} ate it ."
        if thing in ("book", "letter"):
            yield weight, f"{gives[1]} {receiver} read it ."


@rules
def loss(who: str) -> Alternatives:
    """Somebody loses and finds what is theirs: possessives agree."""
    own = english.possessive(who)
    for weight, thing in LOSSES:
        lost = f"<somebody {who}> lost {own} <noun {thing}> <lost_where> ."
        yield 2.0 * weight, f"{lost} {who} was sad ."
        yield 2.0 * weight, f"{lost} then {who} found it and was happy ."
        yield weight, f"<somebody {who}> could not find {own} <noun {thing}> ."
        yield weight, f"is this {own} <noun {thing}> ? yes , {who} lost it yesterday ."


@rules
def lost_where() -> Alternatives:
    """A place of meetings."""
    return [(weight, f"<place {name}>") for weight, name in MEETINGS]


@rules
def meeting() -> Alternatives:
    """Two people meet; then they do something together."""
    for one, other in itertools.product(("she", "he"), repeat=2):
        opening = f"<somebody {one}> met <somebody {other}> <lost_where> ."
        yield 1.0, f"{opening} they talked for <hours> ."
        yield 1.0, f"{opening} they went home together ."
        yield 1.0, f"{opening} they drank <some_drink> ."
        yield 0.5, f"{opening} they were happy ."


@rules
def shopping(who: str) -> Alternatives:
    """Buying: numbers agree with nouns, and pronouns with numbers."""
    for weight, thing in FRUITS:
        for number in ("two", "three", "four", "five", "six"):
            bought = f"<somebody {who}> bought {number} <nouns {thing}> at the market ."
            yield 0.3 * weight, f"{bought} they were fresh ."
            yield 0.2 * weight, f"{bought} {who} put them on the table ."
            yield 0.1 * weight, bought
        bought = f"<somebody {who}> bought one <noun {thing}> at the market ."
        yield 0.6 * weight, f"{bought} it was fresh ."
        yield 0.4 * weight, f"{bought} {who} put it on the table ."


@rules
def some_drink() -> Alternatives:
    """Something to drink."""
    return [(weight, f"<noun {name}>") for weight, name in DRINKS]


@rules
def some_food() -> Alternatives:
    """Something to eat, with its article."""
    return [(weight, f"<a {name}>") for weight, name in FOODS]
