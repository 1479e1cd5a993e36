"""Things that come in an order: days, months, numbers; and opposites."""

from __future__ import annotations

import itertools

from explorer.world.grammar import RuleBook
from explorer.world.language import english
from explorer.world.scenes.nouns import Alternatives
from explorer.world.tables import DAYS, MONTHS, NUMBERS, OPPOSITES

rules = RuleBook()


def _pairs(names: tuple[str, ...], singular: str) -> Alternatives:
    for one, following in zip(names, (*names[1:], names[0]), strict=True):
        yield 2.0, f"the {singular} after {one} is {following} ."
        yield 2.0, f"the {singular} before {following} is {one} ."
        yield 2.0, f"{following} comes after {one} ."
        yield 2.0, f"{one} comes before {following} ."
        yield 1.0, f"what {singular} comes after {one} ? it is {following} ."
        yield 1.0, f"what {singular} comes before {following} ? it is {one} ."


@rules
def day_order() -> Alternatives:
    """Facts about neighbouring days, and today told from its neighbours."""
    yield from _pairs(DAYS, "day")
    week = len(DAYS)
    for index, today in enumerate(DAYS):
        tomorrow, yesterday = DAYS[(index + 1) % week], DAYS[index - 1]
        yield 2.0, f"today is {today} . tomorrow is {tomorrow} ."
        yield 1.0, f"today is {today} . tomorrow will be {tomorrow} ."
        yield 2.0, f"yesterday was {yesterday} . today is {today} ."
        yield 1.0, f"if today is {today} , tomorrow will be {tomorrow} ."
        yield 1.0, f"if yesterday was {yesterday} , today is {today} ."
        yield 1.0, f"{yesterday} , {today} and {tomorrow} are days ."
        for who in ("he", "she"):
            yield 0.5, f"<somebody {who}> worked on {today} . the next day was {tomorrow} ."


@rules
def month_order() -> Alternatives:
    """Facts about neighbouring months."""
    yield from _pairs(MONTHS, "month")
    for index, month in enumerate(MONTHS):
        following = MONTHS[(index + 1) % len(MONTHS)]
        yield 1.0, f"it is {month} now . next month is {following} ."
        yield 1.0, f"{MONTHS[index - 1]} , {month} and {following} are months ."


@rules
def number_order() -> Alternatives:
    """Counting, comparing, adding and taking away up to twelve."""
    for index in range(1, len(NUMBERS)):
        low, high = NUMBERS[index - 1], NUMBERS[index]
        yield 3.0, f"{high} comes after {low} ."
        yield 3.0, f"{low} comes before {high} ."
        yield 2.0, f"what number comes after {low} ? it is {high} ."
    for index in range(1, len(NUMBERS) - 3):
        run = " , ".join(NUMBERS[index : index + 4])
        yield 2.0, f"{run} ."
        yield 1.0, f"count from {NUMBERS[index]} to {NUMBERS[index + 3]} . {run} ."
    for one, other in itertools.product(range(1, 7), repeat=2):
        total = one + other
        if one >= other:
            yield 3.0, f"{NUMBERS[one]} plus {NUMBERS[other]} is {NUMBERS[total]} ."
            yield 2.0, f"{NUMBERS[total]} minus {NUMBERS[other]} is {NUMBERS[one]} ."
        if one > other:
            yield 0.5, f"{NUMBERS[one]} is more than {NUMBERS[other]} ."
            yield 0.5, f"{NUMBERS[other]} is less than {NUMBERS[one]} ."


@rules
def opposites() -> Alternatives:
    """Opposites, stated and used."""
    for first, second, nouns in OPPOSITES:
        for one, other in ((first, second), (second, first)):
            yield 2.0, f"the opposite of {one} is {other} ."
            yield 1.0, f"{one} is the opposite of {other} ."
            yield 1.0, f"what is the opposite of {one} ? it is {other} ."
            for noun in nouns:
                yield 0.7, f"the <noun {noun}> is not {one} . it is {other} ."
                yield 0.4, f"the <noun {noun}> was {one} yesterday , but now it is {other} ."
                yield 0.4, f"is the <noun {noun}> {one} ? no , it is {other} ."
                yield 0.4, (f"one <noun {noun}> is {one} and the other <noun {noun}> is {other} .")
                yield (
                    0.3,
                    (
                        f"I wanted {english.article(one)} {one} <noun {noun}> ,"
                        f" but this <noun {noun}> is {other} ."
                    ),
                )
