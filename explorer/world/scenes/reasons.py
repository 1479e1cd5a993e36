"""Why things happen: cause and effect, and the tool that fits the purpose."""

from __future__ import annotations

import itertools

from explorer.world.grammar import RuleBook
from explorer.world.language import english
from explorer.world.scenes.nouns import Alternatives

rules = RuleBook()

# state of a person: effects by weight. {his} refers back.
STATES = {
    "hungry": ((5.0, "ate <some_food>"), (2.0, "cooked dinner"), (1.0, "went to the restaurant")),
    "thirsty": ((6.0, "drank <some_drink>"), (2.0, "bought a bottle of water")),
    "tired": ((5.0, "went to bed"), (3.0, "slept for <hours>"), (1.0, "sat down")),
    "cold": ((4.0, "put on a coat"), (2.0, "closed the window"), (2.0, "drank hot tea")),
    "hot": ((4.0, "opened the window"), (3.0, "drank cold water"), (1.0, "swam in the lake")),
    "sick": ((5.0, "went to the doctor"), (3.0, "stayed in bed"), (2.0, "took medicine")),
    "late": ((4.0, "ran to the station"), (3.0, "took a taxi"), (1.0, "missed the train")),
    "dirty": ((4.0, "washed {his} hands"), (3.0, "took a bath")),
    "happy": ((4.0, "smiled"), (3.0, "sang a song"), (1.0, "danced")),
    "sad": ((5.0, "cried"), (2.0, "called a friend")),
    "angry": ((4.0, "shouted"), (2.0, "closed the door")),
    "bored": ((3.0, "read a book"), (2.0, "watched a movie"), (2.0, "played a game")),
    "lost": ((4.0, "looked at the map"), (2.0, "called the officer")),
}
# What happens without anybody's doing.
EVENTS = (
    ("it rained", ((4.0, "the street was wet"), (2.0, "we took an umbrella"),
                   (2.0, "the children stayed at home"))),
    ("it snowed", ((4.0, "the street was white"), (2.0, "the bus was late"),
                   (2.0, "the children played in the snow"))),
    ("the sun was hot", ((3.0, "the snow melted"), (3.0, "the ground was dry"))),
    ("it was dark", ((4.0, "we turned on the lamp"), (2.0, "we could not see the road"))),
    ("the glass fell", ((5.0, "it broke"), (2.0, "the floor was wet"))),
    ("the soup was hot", ((3.0, "we waited"), (2.0, "the child could not eat it"))),
    ("the bus was full", ((3.0, "we walked home"), (2.0, "we took a taxi"))),
    ("the shop was closed", ((3.0, "we went home"), (2.0, "we could not buy bread"))),
    ("the wind was strong", ((3.0, "the tree fell"), (3.0, "the door closed"))),
)  # fmt: skip
PEOPLE = ((4.0, "he"), (4.0, "she"), (3.0, "I"), (1.5, "we"), (1.5, "they"))

# weight, what is planned, the tools that fit.
PURPOSES = (
    (3.0, ("plant flowers", "plant roses", "plant a tree", "grow tomatoes"),
     ((5.0, "trowel"), (3.0, "spade"))),
    (3.0, ("build a house", "build a school", "build a bridge", "build a tower"),
     ((6.0, "excavator"),)),
)  # fmt: skip
DIGGING = ("dig", "ground")
"""What is done for each of them, and to what."""
DOERS = ((4.0, "I"), (2.0, "we"), (2.0, "he"), (2.0, "she"), (1.0, "they"))


@rules
def cause_and_effect() -> Alternatives:
    """A cause and its effect: joined by "so" or "because", or left as two sentences."""
    for (weight, who), (state, effects) in itertools.product(PEOPLE, STATES.items()):
        was = english.be(who, "past")
        for effect_weight, effect in effects:
            did = effect.replace("{his}", english.possessive(who))
            both = weight * effect_weight / 8.0
            cause = f"<somebody {who}> {was} {state}"
            yield 3.0 * both, f"{cause} , so {who} {did} ."
            yield 3.0 * both, f"{cause} . {who} {did} ."
            yield 2.0 * both, f"<somebody {who}> {did} because {who} {was} {state} ."
    for cause, effects in EVENTS:
        for effect_weight, effect in effects:
            yield effect_weight, f"{cause} , so {effect} ."
            yield effect_weight, f"{cause} . {effect} ."
            yield 0.6 * effect_weight, f"{effect} because {cause} ."


@rules
def digging() -> Alternatives:
    """Choose the purpose, who has it and the tool that fits."""
    for (weight, plans, tools), (who_weight, who) in itertools.product(PURPOSES, DOERS):
        for plan, (tool_weight, tool) in itertools.product(plans, tools):
            args = f"{who} {plan.replace(' ', '_')} {tool}"
            yield weight * who_weight * tool_weight / len(tools), f"<dug {args}>"


@rules
def dug(who: str, plan: str, tool: str) -> Alternatives:
    """The ground is dug for a purpose, with what fits it."""
    will = f"<somebody {who}> will {plan.replace('_', ' ')}"
    used = f"<a {tool}>"
    dig, ground = DIGGING
    dug_it = f"{english.past(dig)} the {ground}"
    yield 4.0, f"{will} , so {who} {dug_it} . {who} used {used} ."
    yield 2.0, f"{will} , so {who} {dug_it} with {used} ."
    yield 2.0, f"{will} . {who} will {dig} the {ground} with {used} ."
    yield 2.0, f"{will} , so {who} {english.present('need', who)} {used} ."
    yield 1.0, f"{will} . {who} {dug_it} with {used} ."
