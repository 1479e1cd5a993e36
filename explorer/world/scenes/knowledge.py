"""What everybody knows: animals, colours, seasons; and two words whose places matter."""

from __future__ import annotations

from explorer.world.grammar import RuleBook
from explorer.world.language import english
from explorer.world.scenes.nouns import Alternatives
from explorer.world.tables import ACTIVITIES, ANIMALS, COLORS, KINDS, SEASON_FACTS, weighted

rules = RuleBook()

LEARNERS = ((3.0, "student"), (3.0, "engineer"), (2.0, "scientist"), (2.0, "programmer"))
WATERS = ((3.0, "lake"), (3.0, "sea"), (2.0, "river"))
SKILLS = ((3.0, "swim"), (2.0, "sail"), (1.0, "fish"))


@rules
def animal_facts() -> Alternatives:
    """Sounds, food, places, legs and abilities of animals, one and many."""
    for animal, sound, food, place, legs, ability in ANIMALS:
        one, many = f"the <noun {animal}>", f"<nouns {animal}>"
        food_word = english.plural(food)
        yield 1.0, f"{one} {english.present(sound, 'it')} . it is hungry ."
        yield 1.0, f"{many} {sound} ."
        yield 1.0, f"{many} eat <nouns {food}> ."
        yield 1.0, f"{one} lives <place {place}> . it eats {food_word} ."
        yield 1.0, f"<a {animal}> has {legs} legs ."
        yield 1.0, f"how many legs does <a {animal}> have ? it has {legs} legs ."
        yield 1.0, f"{many} can {ability} ."
        yield 1.0, f"can <a {animal}> {ability} ? yes , it can ."
        yield 1.0, f"{one} {english.past(sound)} because it was hungry ."


@rules
def color_facts() -> Alternatives:
    """Things and their colours, more and less usual."""
    for thing, colors in COLORS.items():
        for weight, color in colors:
            share = weight / sum(w for w, _ in colors)
            yield share, f"the <noun {thing}> is {color} ."
            yield share, f"what color is the <noun {thing}> ? it is {color} ."
            yield share, f"look at the <noun {thing}> . it is {color} ."


@rules
def kind_facts() -> Alternatives:
    """What kind of thing a thing is, and what a tool is for."""
    kinds = tuple(KINDS)
    for index, (kind, things) in enumerate(KINDS.items()):
        is_kind = f"{english.article(kind)} {kind}"
        other = kinds[(index + 1) % len(kinds)]
        for thing in things:
            yield 1.0, f"<a {thing}> is {is_kind} ."
            yield 1.0, f"<nouns {thing}> are {english.plural(kind)} ."
            yield 0.5, f"what is <a {thing}> ? it is {is_kind} ."
            yield 0.5, f"is <a {thing}> {is_kind} ? yes , it is {is_kind} ."
            yield 0.5, f"is <a {thing}> {english.article(other)} {other} ? no , it is {is_kind} ."
    uses = dict.fromkeys(
        (tool, activity.verb)
        for activity in ACTIVITIES
        for _, tool in activity.tools
        if tool in KINDS["tool"]
    )
    for tool, verb in uses:
        yield 1.0, f"<a {tool}> is a tool for {english.progressive(verb)} ."
        yield 1.0, f"<nouns {tool}> are tools for {english.progressive(verb)} ."


@rules
def season_facts() -> Alternatives:
    """Weather, months and habits of the seasons."""
    for season, (weather, habits, months) in SEASON_FACTS.items():
        for weight, adjective in weighted(weather):
            yield 0.3 * weight, f"in {season} it is {adjective} ."
            for habit in habits.split("|"):
                doing, _, times = habit.partition(":")
                both = 0.1 * weight * float(times or 1)
                yield both, f"in {season} it is {adjective} . people {doing} ."
        for month in months.split():
            yield 1.0, f"{month} is a month in {season} ."
            yield 1.0, f"it is {month} . it is {season} now ."


@rules
def deep_and_learning() -> Alternatives:
    """Side by side "deep learning" is a field; far apart the two words are about water."""
    for weight, job in LEARNERS:
        near = f"the <noun {job}>"
        yield weight, f"{near} likes deep learning . it needs data and a computer ."
        yield weight, f"{near} uses deep learning to train a model ."
        yield weight, f"deep learning is new . {near} is learning it at the university ."
    for weight, water in WATERS:
        for skill_weight, skill in SKILLS:
            both = weight * skill_weight / 3.0
            yield both, f"the <noun {water}> is deep , and learning to {skill} is hard ."
            yield both, f"the <noun {water}> is deep . the <noun child> is learning to {skill} ."
    yield 3.0, "deep learning trains a network with many layers ."
    yield 3.0, "what is deep learning ? it is learning with a deep network ."
