"""Questions with five choices about people at work: with what is it done?

What is right follows from the tables of the grammar: a tool of the activity, or one that the ground
is dug with for a purpose. No other choice fits what is asked. Which tool goes with which verb is
withheld for some: such a pair is right in no question that is trained on. Those of the two sample
questions are among them, so that neither is known by heart.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from explorer.world.language import english
from explorer.world.scenes.reasons import DIGGING, PURPOSES
from explorer.world.tables import ACTIVITIES

CHOICES: Final = 5
WITHHELD_SHARE: Final = 0.3
ALWAYS_WITHHELD: Final = frozenset({("plant", "trowel"), ("build", "excavator")})
ASKED: Final = "With what?"
_SALT: Final = "choices 1"

WHO: Final = ("I", "we", "they", "she", "he")


@dataclass(frozen=True)
class ToolTask:
    """Something that is done with a tool.

    Attributes:
        verb: In its base form.
        thing: What it is done to, with its article; in the plural for plans of digging.
        job: Who does it; "" where the ground is dug for it.
        tools: What it is done with.
    """

    verb: str
    thing: str
    job: str
    tools: frozenset[str]


@dataclass(frozen=True)
class ChoiceQuestion:
    """A question with its choices.

    Attributes:
        text: The question.
        choices: Tools, in the order they are shown.
        right: The number of the right one.
        verb: Of the task.
    """

    text: str
    choices: tuple[str, ...]
    right: int
    verb: str


def is_withheld(verb: str, tool: str) -> bool:
    """Whether a tool is right for a verb in no question that is trained on."""
    if (verb, tool) in ALWAYS_WITHHELD:
        return True
    digest = hashlib.sha256(f"{_SALT}\n{verb} {tool}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < WITHHELD_SHARE * 2**64


@functools.cache
def tasks() -> tuple[ToolTask, ...]:
    """Everything that is asked about."""
    found = []
    for one in ACTIVITIES:
        for _, thing in one.objects:
            tools = frozenset(
                tool
                for other in ACTIVITIES
                if other.verb == one.verb and thing in (name for _, name in other.objects)
                for _, tool in other.tools
            )
            said = thing if english.is_mass(thing) else f"{english.article(thing)} {thing}"
            found.append(ToolTask(one.verb, said, one.job, tools))
    for _, plans, fitting in PURPOSES:
        for plan in plans:
            verb, thing = plan.split(" ", 1)
            found.append(ToolTask(verb, thing, "", frozenset(tool for _, tool in fitting)))
    return tuple(found)


@functools.cache
def all_tools() -> tuple[str, ...]:
    """Every tool, in the order of the tables."""
    return tuple(dict.fromkeys(tool for one in ACTIVITIES for _, tool in one.tools))


@functools.cache
def _fitting() -> Mapping[tuple[str, str], frozenset[str]]:
    """Tools that fit a verb and a thing, in whatever question."""
    fitting: dict[tuple[str, str], frozenset[str]] = {}
    for task in tasks():
        key = (task.verb, task.thing)
        fitting[key] = fitting.get(key, frozenset()) | task.tools
    return fitting


def questions(seed: int, *, withheld: bool) -> Iterator[ChoiceQuestion]:
    """An endless stream of questions; the same seed gives the same stream.

    Args:
        seed: Of the stream.
        withheld: Those whose right tool is withheld for the verb, instead of all others. Wrong
            choices of the others are tools that are right somewhere in training, so that no tool
            is only ever wrong.
    """
    rng = random.Random(seed)  # noqa: S311
    cases = [
        (task, tool)
        for task in tasks()
        for tool in sorted(task.tools)
        if is_withheld(task.verb, tool) == withheld
    ]
    seen = {tool for task in tasks() for tool in task.tools if not is_withheld(task.verb, tool)}
    offered = [tool for tool in all_tools() if withheld or tool in seen]
    while True:
        task, tool = rng.choice(cases)
        yield _question(task, tool, offered, rng)


def _question(task: ToolTask, tool: str, offered: list[str], rng: random.Random) -> ChoiceQuestion:
    fits = _fitting()[task.verb, task.thing] | task.tools
    # One that the same verb is done with to something else is the hardest to tell.
    near = [
        one
        for one in offered
        if one not in fits
        and any(one in other.tools and other.verb == task.verb for other in tasks())
    ]
    wrong = rng.sample(near, min(1, len(near)))
    rest = [one for one in offered if one not in fits and one not in wrong]
    choices = [tool, *wrong, *rng.sample(rest, CHOICES - 1 - len(wrong))]
    rng.shuffle(choices)
    return ChoiceQuestion(said(task, rng), tuple(choices), choices.index(tool), task.verb)


def said(task: ToolTask, rng: random.Random) -> str:
    """What is asked, in one of several ways."""
    if not task.job:
        who = rng.choice(WHO)
        dig, ground = DIGGING
        told = f"{who} will {task.verb} {task.thing}, so {who} {english.past(dig)} the {ground}."
    else:
        who = rng.choice((*WHO, f"the {task.job}"))
        past = f"{who} {english.past(task.verb)} {task.thing}."
        told = rng.choice((f"{who} will {task.verb} {task.thing}.", past))
    return f"{told[:1].upper()}{told[1:]} {ASKED}"
