"""Meals, and things done one after the other: the order of the sentences carries meaning."""

from __future__ import annotations

import itertools

from explorer.world.grammar import RuleBook
from explorer.world.language import english
from explorer.world.scenes.nouns import Alternatives
from explorer.world.tables import ACTIVITIES, DRINKS, FOODS, weighted

rules = RuleBook()

JOBS = tuple(dict.fromkeys(activity.job for activity in ACTIVITIES))

# actor: the steps, in the only order that makes sense. {who} and {his} refer back.
SEQUENCES = (
    ("chef", "washed the vegetables", "cut them", "cooked the soup", "served it"),
    ("baker", "mixed the flour and the water", "made the bread", "put it in the oven", "sold it"),
    ("gardener", "dug the ground", "planted the seeds", "watered them", "picked the flowers"),
    ("builder", "dug the ground", "built the walls", "made the roof", "painted the house"),
    ("farmer", "planted the corn", "watered it", "cut it", "sold it at the market"),
    ("tailor", "cut the cloth", "sewed the dress", "washed it", "sold it"),
    ("writer", "had an idea", "wrote the story", "read it again", "sent it to the newspaper"),
    ("painter", "cleaned the brush", "drew a picture", "painted it", "sold it at the museum"),
    ("student", "read the question", "thought about it", "wrote the answer", "went home"),
    ("doctor", "met the patient", "asked a question", "gave medicine", "wrote a report"),
    ("mechanic", "opened the engine", "found the problem", "repaired it", "drove the car"),
    ("fisherman", "sailed the boat", "put the net in the sea", "caught a fish", "cooked it"),
    ("scientist", "had a question", "collected the data", "studied it", "wrote a report"),
    ("engineer", "collected the data", "built the network", "trained it", "tested it"),
    ("", "woke up", "washed {his} face", "ate breakfast", "went to work"),
    ("", "came home", "cooked dinner", "ate it", "went to bed"),
    ("", "opened the door", "went into the room", "turned on the lamp", "read a book"),
    ("", "bought a ticket", "got on the train", "sat down", "read the newspaper"),
    ("", "wrote a letter", "closed it", "went to the post office", "sent it"),
    ("", "found the bike", "cleaned it", "rode it", "came home"),
)  # fmt: skip


@rules
def meal_time() -> Alternatives:
    """Somebody eats or drinks something, somewhere, at some time."""
    for who in ("he", "she"):
        yield 4.0, f"<somebody {who}> <ate_it {who} past>"
        yield 2.0, f"<somebody {who}> <ate_it {who} present>"
        yield 1.0, f"<somebody {who}> <ate_it {who} progressive>"
    for who in ("I", "we", "they"):
        yield 1.5, f"{who} <ate_it {who} past>"
        yield 1.0, f"{who} <ate_it {who} present>"
    for job in JOBS:
        yield 0.2, f"the <noun {job}> <ate_it he past>"
        yield 0.1, f"<a {job}> <ate_it she past>"
        yield 0.1, f"the <nouns {job}> <ate_it they present>"


@rules
def ate_it(who: str, tense: str) -> Alternatives:
    """The rest of the sentence, and for some a second one."""
    ends = {"past": ("yesterday",), "present": ("every day",), "progressive": ("now",)}[tense]
    for (weight, food), end in itertools.product(FOODS, ends):
        eats = f"<verb eat {tense} {who}>"
        yield 2.0 * weight, f"{eats} <a {food}> ."
        yield weight, f"{eats} the <noun {food}> ."
        yield 0.5 * weight, f"{eats} <a {food}> {end} ."
        yield 0.5 * weight, f"{eats} <a {food}> <meal_when> ."
        if tense == "past":
            yield 0.5 * weight, f"{eats} the <noun {food}> . it was <food_was> ."
    for weight, drink in DRINKS:
        yield weight, f"<verb drink {tense} {who}> <noun {drink}> <meal_when> ."
        yield weight, f"<verb drink {tense} {who}> <noun {drink}> ."
        yield 0.7 * weight, f"<verb drink {tense} {who}> a cup of <noun {drink}> ."


@rules
def meal_when() -> Alternatives:
    """A meal as a time."""
    return [(3.0, "for breakfast"), (3.0, "for lunch"), (4.0, "for dinner"), (2.0, "at home")]


@rules
def food_was() -> Alternatives:
    """What food is like."""
    return weighted("delicious:5 tasty:3 good:2 fresh:2 cold bad")


@rules
def steps_in_order() -> Alternatives:
    """Choose the actor of a sequence of steps, and how many steps are told."""
    for sequence, who in itertools.product(SEQUENCES, ("he", "she", "they")):
        actor = sequence[0]
        if who == "they":
            subject = f"the {english.plural(actor)}" if actor else "they"
        else:
            subject = f"the {actor}" if actor else f"<somebody {who}>"
        weight = 1.0 if who == "they" else 2.0
        for start, count in ((0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (0, 4)):
            steps = [
                step.replace("{his}", english.possessive(who))
                for step in sequence[1 + start : 1 + start + count]
            ]
            if not {"it", "them"}.isdisjoint(steps[0].split()):
                continue  # nothing has been named yet that the pronoun could refer to
            yield weight, _first_then(subject, who, steps)
            if count == 2:
                yield 0.4 * weight, f"after {subject} {steps[0]} , {who} {steps[1]} ."


def _first_then(subject: str, who: str, steps: list[str]) -> str:
    links = {2: ("first", "then"), 3: ("first", "then", "finally")}.get(
        len(steps), ("first", "then", "after that ,", "finally")
    )
    told = [f"{links[0]} {subject} {steps[0]} ."]
    told += [f"{link} {who} {step} ." for link, step in zip(links[1:], steps[1:], strict=True)]
    return " ".join(told)
