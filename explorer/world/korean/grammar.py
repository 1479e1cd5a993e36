"""The small world told in Korean from the start: a grammar of its own, so answers are exact.

What is told are things of the usual small world (its people at work, its films, its days and
opposites), the ground that is dug for a purpose, and who founded which company. Particles and
endings are parts of their words, as they are written.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Final

from explorer.world.grammar import Grammar, RuleBook
from explorer.world.korean.hangul import (
    MEANS,
    OBJECT,
    SUBJECT,
    TOPIC,
    WITH,
    Predicate,
    join,
    predicate,
)
from explorer.world.korean.text import VERDICTS as SAID
from explorer.world.korean.words import ADJECTIVES, NAMED, NOUNS, PEOPLE, VERBS
from explorer.world.scenes.films import VERDICTS, VIEWERS
from explorer.world.tables import ACTIVITIES, DAYS, FILM_ADJECTIVES, FILM_NOUNS, OPPOSITES

Alternatives = Iterator[tuple[float, str]]

SUBJECTS: Final = {"I": "내가"}
"""Those that change before 가."""
WHEN: Final = {
    "past": ((4.0, ""), (2.0, "어제"), (1.0, "지난주에")),
    "present": ((2.0, ""), (2.0, "매일")),
    "future": ((1.0, ""), (3.0, "내일")),
}
TENSES: Final = ((6.0, "past"), (2.0, "present"), (2.0, "future"))
GENRES: Final = ((3.0, "액션"), (2.0, "공포"), (2.0, "코미디"))
SEEN: Final = ((4.0, "어제"), (2.0, "어젯밤에"), (2.0, "지난주에"))
BUILD: Final = predicate("짓:지었:지을")
# weight, what is planned (with its object), the tools that the ground is dug with.
PURPOSES: Final = (
    (1.0, (("꽃을", VERBS["plant"]), ("장미를", VERBS["plant"]), ("나무를", VERBS["plant"]),
           ("토마토를", VERBS["grow"])), ((5.0, "모종삽"), (3.0, "삽"))),
    (1.0, (("집을", BUILD), ("학교를", BUILD), ("다리를", BUILD), ("탑을", BUILD)),
     ((5.0, "포크레인"), (2.0, "굴착기"))),
)  # fmt: skip
FOUNDERS: Final = {
    "테슬라": ((3.0, "일론", "머스크"), (1.0, "마틴", "에버하드")),
    "페이스북": ((3.0, "마크", "주커버그"), (1.0, "더스틴", "모스코비츠")),
    "애플": ((3.0, "스티브", "잡스"), (2.0, "스티브", "워즈니악")),
    "마이크로소프트": ((3.0, "빌", "게이츠"), (2.0, "폴", "앨런")),
    "구글": ((2.0, "래리", "페이지"), (2.0, "세르게이", "브린")),
}
"""Who founded what together with others, and how often it is said of each."""
FOUNDER: Final = ((2.0, "Co-Founder"), (2.0, "공동 창업자"))

rules = RuleBook()


@rules
def document() -> Alternatives:
    """A text is about one subject."""
    yield 9.0, "<work>"
    yield 10.0, "<film_review>"
    yield 5.0, "<digging>"
    yield 3.0, "<founder>"
    yield 2.0, "<day_order>"
    yield 2.0, "<opposites>"


@rules
def work() -> Alternatives:
    """Somebody does what belongs to a job."""
    for number, _ in enumerate(ACTIVITIES):
        for (weight, tense), (_, pronoun) in itertools.product(TENSES, ((1.0, "he"), (1.0, "she"))):
            yield weight, f"<done {number} {tense} {pronoun}>"


@rules
def done(number: str, tense: str, pronoun: str) -> Alternatives:
    """What is done to what; then with what, or who does it."""
    one = ACTIVITIES[int(number)]
    verb = VERBS.get(f"{one.job}:{one.verb}") or VERBS[one.verb]
    for (weight, thing), (often, when) in itertools.product(one.objects, WHEN[tense]):
        acted = _acted_on(one.verb, NOUNS[thing])
        deed = f"{acted} {_tensed(verb, tense)} ."
        share = weight * often
        first = f"<worker {one.job}> {when}"
        yield 3.0 * share, f"{first} <work_place {number}> {deed}"
        yield 1.0 * share, f"{first} {deed}"
        yield 1.0 * share, f"{first} <work_tool {number}> {deed}"
        use = _tensed(VERBS["use"], tense)
        who = join(PEOPLE[pronoun], TOPIC)
        yield (
            2.0 * share,
            f"{first} <work_place {number}> {deed} {who} <tool_used {number}> {use} .",
        )
        if tense == "past":
            asked = f"누가 {acted} {verb.past_stem()}나 ?"
            yield 0.5 * share, f"{asked} {join(NOUNS[one.job], SUBJECT)} {acted} {verb.past()} ."


@rules
def worker(job: str) -> Alternatives:
    """Who does it, with 은 or 는, or as somebody new."""
    yield 2.0, join(NOUNS[job], TOPIC)
    yield 1.0, join(NOUNS[job], SUBJECT)


@rules
def work_place(number: str) -> Alternatives:
    """Where."""
    for weight, noun in ACTIVITIES[int(number)].places:
        yield weight, f"{NOUNS[noun]}에서"


@rules
def work_tool(number: str) -> Alternatives:
    """With what."""
    for weight, noun in ACTIVITIES[int(number)].tools:
        yield weight, join(NOUNS[noun], MEANS)


@rules
def tool_used(number: str) -> Alternatives:
    """What is used."""
    for weight, noun in ACTIVITIES[int(number)].tools:
        yield weight, join(NOUNS[noun], OBJECT)


@rules
def film_review() -> Alternatives:
    """Who saw what, and whether it was liked."""
    for (viewer_weight, viewer), (noun_weight, noun), (weight, mood, verdict) in itertools.product(
        VIEWERS, FILM_NOUNS, VERDICTS
    ):
        args = f"{viewer} {noun} {mood} {verdict.replace(' ', '_')}"
        yield viewer_weight * noun_weight * weight, f"<film_told {args}>"


@rules
def film_told(viewer: str, noun: str, mood: str, verdict: str) -> Alternatives:
    """The verdict, and what the film was like; or what it was like alone."""
    who, film = join(PEOPLE[viewer], TOPIC), NOUNS[noun]
    judged, it = SAID[verdict], f"<film_was {noun} {mood}>"
    opening = f"{who} <seen> 본 {join(film, OBJECT)} {judged} ."
    yield 6.0, f"{opening} {it}"
    yield 1.0, opening
    yield 3.0, f"{who} <seen> {join(film, OBJECT)} 보았다 . {it}"
    if noun == "movie":
        yield 2.0, f"{who} <seen> <genre> {join(film, OBJECT)} 보았다 . {it}"
    seer = SUBJECTS.get(viewer, join(PEOPLE[viewer], SUBJECT))
    was = f"<film_adjective {mood}> ."
    yield 1.5, f"{seer} <seen> 본 {join(film, TOPIC)} {was} {who} 그것을 {judged} ."
    yield 1.0, f"{join(film, TOPIC)} 어땠나 ? {was} {who} 그것을 {judged} ."


@rules
def seen() -> Alternatives:
    """When it was seen."""
    yield from SEEN


@rules
def genre() -> Alternatives:
    """What kind of a film."""
    yield from GENRES


@rules
def film_adjective(mood: str) -> Alternatives:
    """What it was like, graded by the verdict as in English."""
    for weight, adjective in FILM_ADJECTIVES[mood]:
        yield weight, ADJECTIVES[adjective].past()


@rules
def film_was(noun: str, mood: str) -> Alternatives:
    """A sentence about the film."""
    film, was = join(NOUNS[noun], TOPIC), f"<film_adjective {mood}> ."
    yield 5.0, f"{film} {was}"
    yield 2.0, f"그 {film} {was}"
    yield 2.0, was
    yield 1.0, f"그것은 {was}"
    yield 1.0, f"{film} 매우 {was}"
    yield 1.0, f"{film} <film_adjectives {mood}> ."


@rules
def film_adjectives(mood: str) -> Alternatives:
    """Two different ones."""
    for (weight, one), (other_weight, other) in itertools.permutations(FILM_ADJECTIVES[mood], 2):
        said = f"{ADJECTIVES[one].stem}고 {ADJECTIVES[other].past()}"
        yield weight * other_weight, said


@rules
def digging() -> Alternatives:
    """What for, and with which tool."""
    for weight, plans, tools in PURPOSES:
        for (plan, _), (tool_weight, tool) in itertools.product(enumerate(plans), tools):
            kind = PURPOSES.index((weight, plans, tools))
            yield weight * tool_weight / sum(one for one, _ in tools), f"<dug {kind} {plan} {tool}>"


@rules
def dug(kind: str, plan: str, tool: str) -> Alternatives:
    """Somebody plans something, so the ground is dug: why, and with what."""
    thing, verb = PURPOSES[int(kind)][1][int(plan)]
    for weight, viewer in VIEWERS:
        who = join(PEOPLE[viewer], TOPIC)
        dug_it = f"{who} {thing} {verb.future()} . 그래서 땅을 팠다 ."
        purpose = f"{thing} {verb.stem}기 위해"
        yield 3.0 * weight, f"{dug_it} {join(tool, OBJECT)} 사용했다 ."
        yield 2.0 * weight, f"{dug_it} 땅을 무엇으로 팠니 ? {join(tool, MEANS)} 팠다 ."
        yield 1.0 * weight, f"{dug_it} 땅을 왜 팠니 ? {purpose} 팠다 ."
        yield 1.0 * weight, dug_it
        yield 1.0 * weight, f"{who} {purpose} {join(tool, MEANS)} 땅을 팠다 ."


@rules
def founder() -> Alternatives:
    """Who founded a company with others."""
    for company, people in FOUNDERS.items():
        for weight, first, last in people:
            yield weight / sum(one for one, *_ in people), f"<founded {company} {first} {last}>"


@rules
def founded(company: str, first: str, last: str) -> Alternatives:
    """Said, and asked."""
    for weight, noun in FOUNDER:
        yield 3.0 * weight, f"{first} {join(last, TOPIC)} {company}의 {noun}이다 ."
        asked = f"{company}의 {join(noun, TOPIC) if noun[-1] >= '가' else f'{noun}는'} 누구인가 ?"
        yield 1.0 * weight, f"{asked} {first} {last}이다 ."


@rules
def day_order() -> Alternatives:
    """A day and the one behind it."""
    for number, day in enumerate(DAYS):
        one, other = NAMED[day], NAMED[DAYS[(number + 1) % len(DAYS)]]
        yield 3.0, f"오늘은 {one}이다 . 내일은 {other}이다 ."
        yield 1.0, f"어제는 {one}이었다 . 오늘은 {other}이다 ."
        yield 1.0, f"{one} 다음 날은 {other}이다 ."


@rules
def opposites() -> Alternatives:
    """What is the opposite of what."""
    for pair in OPPOSITES:
        for one, other in itertools.permutations(pair[:2]):
            if one in NAMED and other in NAMED:
                yield 1.0, f"{NAMED[one]}의 반대는 {NAMED[other]}이다 ."


def _tensed(verb: Predicate, tense: str) -> str:
    return {"past": verb.past, "present": verb.present}.get(tense, verb.future)()


def _acted_on(verb: str, thing: str) -> str:
    """The object with the particle that its verb asks for."""
    if verb == "water":
        return f"{thing}에"
    return join(thing, WITH if verb == "fight" else OBJECT)


@functools.cache
def korean_world() -> Grammar:
    """The grammar, made on first use."""
    return Grammar(rules)
