"""People at work: who does what, to what, where and with what, and what came of it."""

from __future__ import annotations

import itertools

from explorer.world.grammar import RuleBook
from explorer.world.language import english
from explorer.world.scenes.nouns import Alternatives
from explorer.world.tables import ACTIVITIES, KIND_ADJECTIVES, OBJECT_KINDS

rules = RuleBook()

TENSES = ((6.0, "past"), (3.0, "present"), (1.5, "progressive"), (1.5, "future"))
# One worker is a man or a woman, or ("it") one of whom the text does not tell; "they" are several.
# What a text does not tell is not chosen, so that no text has two derivations.
WORKERS = ((3.0, "he"), (3.0, "she"), (2.5, "it"), (2.0, "they"))


def adjectives_of(thing: str) -> tuple[tuple[float, str], ...]:
    """What may be said of a thing."""
    return KIND_ADJECTIVES[OBJECT_KINDS.get(thing, "thing")]


def _same_in_past(verb: str) -> bool:
    """Whether two tenses are written alike ("they cut"): then only the past is told."""
    return english.past(verb) == verb


@rules
def work() -> Alternatives:
    """Choose the activity, who does it, when."""
    for (index, _), (who_weight, who), (tense_weight, tense) in itertools.product(
        enumerate(ACTIVITIES), WORKERS, TENSES
    ):
        if (who, tense) == ("they", "present") and _same_in_past(ACTIVITIES[index].verb):
            continue
        yield who_weight * tense_weight, f"<work_on {index} {who} {tense}>"


@rules
def work_on(index: str, who: str, tense: str) -> Alternatives:
    """Choose what is worked on."""
    for weight, thing in ACTIVITIES[int(index)].objects:
        yield weight, f"<work_story {index} {who} {tense} {thing}>"


@rules
def work_story(index: str, who: str, tense: str, thing: str) -> Alternatives:
    """One to three sentences; or a question and its answer."""
    args = f"{index} {who} {tense} {thing}"
    if who in ("it", "they"):
        yield 3.0, f"<work_done {args}>"
        yield 4.0, f"<work_done {args}> <work_result {thing} {tense}>"
        if tense in ("past", "present"):
            yield 1.5, f"<work_asked_who {args}>"
    if who != "it":
        yield 8.0, f"<work_done {args}> <work_tool {args}>"
        yield 4.0, f"<work_done {args}> <work_tool {args}> <work_result {thing} {tense}>"
        if tense in ("past", "present"):
            yield 1.0, f"<work_asked_where {args}>"


@rules
def worker(job: str, who: str) -> Alternatives:
    """The worker as a subject."""
    if who == "they":
        yield 4.0, f"the <nouns {job}>"
        yield 1.0, f"two <nouns {job}>"
        yield 0.5, f"three <nouns {job}>"
    else:
        yield 4.0, f"the <noun {job}>"
        yield 1.0, f"<a {job}>"


@rules
def worked_on(thing: str) -> Alternatives:
    """The thing as an object."""
    if thing == "hair":
        return [(1.0, "hair")]
    if thing == "tooth":
        return [(1.0, "<nouns tooth>")]
    if thing in ("sheep", "moon", "fire", "fish"):
        return [(1.0, f"the <noun {thing}>")]
    if english.is_mass(thing):
        return [(3.0, f"the <noun {thing}>"), (2.0, f"<noun {thing}>")]
    return [(4.0, f"the <noun {thing}>"), (3.0, f"<a {thing}>"), (1.0, f"the <nouns {thing}>")]


@rules
def work_done(index: str, who: str, tense: str, thing: str) -> Alternatives:
    """The main sentence: order of its parts varies with the tense."""
    activity = ACTIVITIES[int(index)]
    core = f"<worker {activity.job} {who}> <verb {activity.verb} {tense} {who}> <worked_on {thing}>"
    where, tool = f"<work_place {index}>", f"with <tool {index}>"
    yield 5.0, f"{core} {where} ."
    yield 3.0, f"{core} {tool} ."
    if tense == "past":
        yield 2.0, f"{core} ."
        yield 1.0, f"yesterday {core} ."
        yield 1.0, f"{core} {where} yesterday ."
        yield 1.0, f"{where} , {core} ."
        yield 1.0, f"{core} <on_day> ."
    elif tense == "present":
        yield 2.0, f"every day {core} {where} ."
        yield 1.0, f"every <some_day> {core} ."
        yield 1.0, f"{core} every <some_day> ."
    elif tense == "progressive":
        yield 1.0, f"{core} now ."
        yield 1.0, f"now {core} {where} ."
    else:
        yield 2.0, f"tomorrow {core} {where} ."
        yield 1.0, f"{core} tomorrow ."


@rules
def work_place(index: str) -> Alternatives:
    """Where the activity happens."""
    return [(weight, f"<place {name}>") for weight, name in ACTIVITIES[int(index)].places]


@rules
def tool(index: str) -> Alternatives:
    """A tool of the activity, new to the listener."""
    return [(weight, f"<a {name}>") for weight, name in ACTIVITIES[int(index)].tools]


@rules
def old_tool(index: str) -> Alternatives:
    """A tool of the activity, with what may be said of it."""
    for weight, name in ACTIVITIES[int(index)].tools:
        if name in english.PLURAL_NOUNS or english.is_mass(name):
            yield weight, f"old <noun {name}>"
        else:
            yield weight, f"an old <noun {name}>"
            yield weight, f"a new <noun {name}>"


@rules
def work_tool(index: str, who: str, tense: str, thing: str) -> Alternatives:
    """A second sentence about the same worker: the pronoun refers back."""
    use = f"{who} <verb use {tense} {who}>"
    yield 5.0, f"{use} <tool {index}> ."
    yield 1.0, f"{use} <old_tool {index}> ."
    pronoun = "them" if thing == "tooth" else "it"
    if tense == "past":
        yield 1.0, f"it took {english.objective(who)} <hours> ."
        yield 1.0, f"{who} {english.be(who, 'past')} <after_work> ."
        if OBJECT_KINDS.get(thing) == "food":
            verb_past = "drank" if thing in ("coffee", "tea") else "ate"
            yield 3.0, f"then {who} {verb_past} {pronoun} ."
    elif tense == "present":
        yield 1.0, f"{who} {english.present('like', who)} the work ."
        yield 1.0, f"{who} {english.present('go', who)} home at <clock_hour> ."


@rules
def after_work() -> Alternatives:
    """How work leaves people."""
    return [(4.0, "tired"), (2.0, "tired but happy"), (2.0, "happy"), (1.0, "hungry")]


@rules
def hours() -> Alternatives:
    """A duration; the number agrees with the noun."""
    yield 3.0, "one hour"
    for weight, number in ((4.0, "two"), (3.0, "three"), (2.0, "four"), (1.0, "five")):
        yield weight, f"{number} hours"


@rules
def clock_hour() -> Alternatives:
    """When the working day ends."""
    return [(3.0, "five"), (4.0, "six"), (2.0, "seven"), (1.0, "eight")]


@rules
def work_result(thing: str, tense: str) -> Alternatives:
    """A sentence about the thing."""
    if thing in ("tooth", "hair"):
        verb_form = {"future": "will be"}.get(tense, "are" if thing == "tooth" else "is")
        if tense == "past":
            verb_form = "were" if thing == "tooth" else "was"
        yield 3.0, f"the <nouns {thing}> {verb_form} clean ."
        yield 1.0, f"the <nouns {thing}> {verb_form} beautiful ."
        return
    verb_form = {"past": "was", "future": "will be"}.get(tense, "is")
    for weight, adjective in adjectives_of(thing):
        yield weight, f"the <noun {thing}> {verb_form} {adjective} ."
        yield 0.2 * weight, f"the <noun {thing}> {verb_form} very {adjective} ."
    if tense == "past":
        yield 1.5, "the work was hard ."
        yield 1.5, "the work was easy ."


@rules
def work_asked_who(index: str, who: str, tense: str, thing: str) -> Alternatives:
    """Asked for the worker: the answer names the job."""
    activity = ACTIVITIES[int(index)]
    job = f"the <nouns {activity.job}>" if who == "they" else f"the <noun {activity.job}>"
    acts = f"<verb {activity.verb} {tense} {who}>"
    it = "them" if thing == "tooth" else "it"
    yield 1.0, f"who <verb {activity.verb} {tense} he> <worked_on {thing}> ? {job} {acts} {it} ."


@rules
def work_asked_where(index: str, who: str, tense: str, thing: str) -> Alternatives:
    """Asked for the place."""
    activity = ACTIVITIES[int(index)]
    did = "did" if tense == "past" else ("do" if who == "they" else "does")
    job = f"the <nouns {activity.job}>" if who == "they" else f"the <noun {activity.job}>"
    acts = f"<verb {activity.verb} {tense} {who}>"
    it = "them" if thing == "tooth" else "it"
    yield (
        1.0,
        (
            f"where {did} {job} {activity.verb} <worked_on {thing}> ?"
            f" {who} {acts} {it} <work_place {index}> ."
        ),
    )


@rules
def tools_asked() -> Alternatives:
    """Asked for the tool of a job: any tool of any of its activities may be the answer."""
    tools: dict[str, dict[str, float]] = {}
    for activity in ACTIVITIES:
        known = tools.setdefault(activity.job, {})
        for weight, name in activity.tools:
            known[name] = known.get(name, 0.0) + weight
    for (job, names), who in itertools.product(tools.items(), ("he", "she", "they")):
        one = f"the <nouns {job}>" if who == "they" else f"the <noun {job}>"
        total = sum(names.values())
        for name, weight in names.items():
            share = weight / total
            yield share, f"what did {one} use ? {who} used <a {name}> ."
            do = "do" if who == "they" else "does"
            yield share, f"what {do} {one} use ? {who} {english.present('use', who)} <a {name}> ."
