"""Documents of the small world in Korean: another linearisation of the same derivation.

Who does what, where, with what and when is read from the tree that the English text was written
from, never from the text. Subjects that have no Korean yet give None: work, films, and the order of
days and months, and opposites are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from explorer.world.corpus import CorpusDocument
from explorer.world.grammar import DerivationNode
from explorer.world.korean.hangul import MEANS, OBJECT, SUBJECT, TOPIC, WITH, Predicate, join
from explorer.world.korean.words import ADJECTIVES, NAMED, NOUNS, NUMBERS, PEOPLE, VERBS
from explorer.world.tables import ACTIVITIES

EAT: Final = {"ate": VERBS["eat"], "drank": VERBS["drink"]}
VERDICTS: Final = {
    "liked": "좋아했다", "loved": "사랑했다", "enjoyed": "즐겼다", "hated": "싫어했다",
    "did_not_like": "좋아하지 않았다", "did_not_enjoy": "즐기지 않았다",
}  # fmt: skip
TIMES: Final = {"yesterday": "어제", "last week": "지난주에", "last night": "어젯밤에"}
# What stands alone in an English sentence and says when.
WHENS: Final = {"yesterday": "어제", "tomorrow": "내일", "now": "지금"}

# Facts without a tree of their own: their words are all the production has.
FACTS: Final[tuple[tuple[re.Pattern[str], Callable[[str, str], str]], ...]] = (
    (re.compile(r"the day after (\w+) is (\w+) \."), lambda a, b: f"{a} 다음 날은 {b}이다."),
    (re.compile(r"the day before (\w+) is (\w+) \."), lambda a, b: f"{a} 전날은 {b}이다."),
    (re.compile(r"the month after (\w+) is (\w+) \."), lambda a, b: f"{a} 다음 달은 {b}이다."),
    (re.compile(r"the month before (\w+) is (\w+) \."), lambda a, b: f"{a} 전달은 {b}이다."),
    (re.compile(r"(\w+) comes after (\w+) \."), lambda a, b: f"{join(a, TOPIC)} {b} 다음에 온다."),
    (re.compile(r"(\w+) comes before (\w+) \."), lambda a, b: f"{join(a, TOPIC)} {b} 전에 온다."),
    (re.compile(r"today is (\w+) \. tomorrow is (\w+) \."),
     lambda a, b: f"오늘은 {a}이다. 내일은 {b}이다."),
    (re.compile(r"yesterday was (\w+) \. today is (\w+) \."),
     lambda a, b: f"어제는 {a}이었다. 오늘은 {b}이다."),
    (re.compile(r"if today is (\w+) , tomorrow will be (\w+) \."),
     lambda a, b: f"오늘이 {a}이면 내일은 {b}이다."),
    (re.compile(r"the opposite of (\w+) is (\w+) \."), lambda a, b: f"{a}의 반대는 {b}이다."),
    (re.compile(r"(\w+) is the opposite of (\w+) \."),
     lambda a, b: f"{join(a, TOPIC)} {b}의 반대이다."),
    (re.compile(r"what is the opposite of (\w+) \? it is (\w+) \."),
     lambda a, b: f"{a}의 반대는 무엇인가? {b}이다."),
)  # fmt: skip


def korean(document: CorpusDocument) -> str | None:
    """The document in Korean, or None where its subject has none."""
    told = document.node.children[0]
    if not isinstance(told, DerivationNode):
        return None
    if told.symbol.name == "work":
        return _work(_only(_only(told)))
    if told.symbol.name == "film_review":
        return _film(_only(told))
    return _fact(" ".join(told.words()))


def _fact(words: str) -> str | None:
    for pattern, say in FACTS:
        found = pattern.fullmatch(words)
        if found and all(word in NAMED for word in found.groups()):
            return say(*(NAMED[word] for word in found.groups()))
    return None


def _only(node: DerivationNode) -> DerivationNode:
    """The one symbol that a choice is handed to."""
    (child,) = _below(node)
    return child


def _below(node: DerivationNode) -> Iterator[DerivationNode]:
    return (child for child in node.children if isinstance(child, DerivationNode))


def _named(node: DerivationNode) -> dict[str, DerivationNode]:
    return {child.symbol.name: child for child in _below(node)}


def _said(node: DerivationNode) -> tuple[str, ...]:
    """The words that a production adds itself."""
    return tuple(child for child in node.children if isinstance(child, str))


def _thing(node: DerivationNode) -> str:
    """The noun under a noun phrase; 들 for several."""
    if node.symbol.name == "noun":
        return NOUNS[node.symbol.args[0]]
    if node.symbol.name == "nouns":
        lemma = node.symbol.args[0]
        return NOUNS[lemma] + ("" if lemma in ("tooth", "hair") else "들")
    below = next(_below(node), None)
    return NOUNS[_said(node)[0]] if below is None else _thing(below)


def _tensed(verb: Predicate, tense: str) -> str:
    forms = {"past": verb.past, "present": verb.present, "progressive": verb.progressive}
    return forms.get(tense, verb.future)()


def _verb(index: str) -> Predicate:
    activity = ACTIVITIES[int(index)]
    return VERBS.get(f"{activity.job}:{activity.verb}", VERBS.get(activity.verb, VERBS["use"]))


def _acted_on(index: str, thing: str) -> str:
    """The object with the particle that the verb asks for."""
    name = ACTIVITIES[int(index)].verb
    if name == "water":
        return f"{thing}에"
    return join(thing, WITH if name == "fight" else OBJECT)


def _work(story: DerivationNode) -> str:
    write = {
        "work_done": _work_done,
        "work_tool": _work_tool,
        "work_result": _work_result,
        "work_asked_who": _asked_who,
        "work_asked_where": _asked_where,
    }
    return " ".join(write[part.symbol.name](part) for part in _below(story))


def _worker(node: DerivationNode) -> str:
    said, thing = _said(node), _thing(node)
    if said and said[0] in NUMBERS:
        return f"{thing.removesuffix('들')} {NUMBERS[said[0]]} 명이"
    if any(child.symbol.name == "a" for child in _below(node)):
        return f"한 {join(thing, SUBJECT)}"
    return join(thing, TOPIC)


def _work_done(node: DerivationNode) -> str:
    index, _, tense, _ = node.symbol.args
    parts, said = _named(node), _said(node)
    when = next((WHENS[word] for word in said if word in WHENS), "")
    if "on_day" in parts:
        when = f"{NAMED[_said(parts['on_day'])[1]]}에"
    elif "some_day" in parts:
        when = f"{NAMED[_said(parts['some_day'])[0]]}마다"
    elif "every" in said:
        when = "매일"
    where = tool = ""
    if "work_place" in parts:
        where = f"{_thing(parts['work_place'])}에서"
    if "tool" in parts:
        tool = join(_thing(parts["tool"]), MEANS)
    who, acted = _worker(parts["worker"]), _acted_on(index, _thing(parts["worked_on"]))
    # "In the kitchen, the chef ..." puts the place first in Korean too.
    first = (
        isinstance(node.children[0], DerivationNode)
        and node.children[0].symbol.name == "work_place"
    )
    order = (where, who) if first else (when, who, where)
    words = (*order, tool, acted, _tensed(_verb(index), tense))
    return " ".join(filter(None, words)) + "."


def _work_tool(node: DerivationNode) -> str:
    _, who, tense, _ = node.symbol.args
    parts, said = _named(node), _said(node)
    topic = join(PEOPLE[who], TOPIC)
    if "tool" in parts or "old_tool" in parts:
        if "tool" in parts:
            tool = _thing(parts["tool"])
        else:
            age = "낡은" if "old" in _said(parts["old_tool"]) else "새"
            tool = f"{age} {_thing(parts['old_tool'])}"
        return f"{topic} {join(tool, OBJECT)} {_tensed(VERBS['use'], tense)}."
    if "hours" in parts:
        return f"{NUMBERS[_said(parts['hours'])[0]]} 시간이 걸렸다."
    if "after_work" in parts:
        state = _said(parts["after_work"])
        if "but" in state:
            return f"{topic} 피곤했지만 행복했다."
        return f"{topic} {ADJECTIVES[state[0]].past()}."
    if "clock_hour" in parts:
        return f"{topic} {NUMBERS[_said(parts['clock_hour'])[0]]} 시에 집에 간다."
    if said[0] == "then":
        verb = next(EAT[word] for word in said if word in EAT)
        return f"그 다음에 {topic} 그것을 {verb.past()}."
    return f"{topic} 그 일을 좋아한다."


def _work_result(node: DerivationNode) -> str:
    _, tense = node.symbol.args
    said = _said(node)
    parts = list(_below(node))
    thing = _thing(parts[0]) if parts else "일"
    adjective = ADJECTIVES[said[-2]]
    very = "매우 " if "very" in said else ""
    form = {"past": adjective.past, "future": adjective.future}.get(tense, adjective.plain)()
    return f"{join(thing, TOPIC)} {very}{form}."


def _question(verb: Predicate, tense: str) -> str:
    return (verb.past_stem() if tense == "past" else verb.stem) + "나?"


def _asked_who(node: DerivationNode) -> str:
    index, _, tense, _ = node.symbol.args
    parts = list(_below(node))
    verb, acted = _verb(index), _acted_on(index, _thing(parts[1]))
    it = _acted_on(index, "그것")
    return (
        f"누가 {acted} {_question(verb, tense)}"
        f" {join(_thing(parts[2]), SUBJECT)} {it} {_tensed(verb, tense)}."
    )


def _asked_where(node: DerivationNode) -> str:
    index, who, tense, _ = node.symbol.args
    parts, verb = _named(node), _verb(index)
    worker = _thing(next(_below(node)))
    acted, it = _acted_on(index, _thing(parts["worked_on"])), _acted_on(index, "그것")
    return (
        f"{join(worker, TOPIC)} 어디에서 {acted} {_question(verb, tense)}"
        f" {join(PEOPLE[who], TOPIC)} {it} {_thing(parts['work_place'])}에서"
        f" {_tensed(verb, tense)}."
    )


def _film(node: DerivationNode) -> str | None:
    viewer, noun, _, verdict = node.symbol.args
    parts, said = _named(node), _said(node)
    film, judged = NOUNS[noun], VERDICTS[verdict]
    name = PEOPLE[next(parts["somebody"].words()) if "somebody" in parts else viewer]
    person = join(name, TOPIC)
    if "past_time" in parts:
        seen = f"{_time(parts['past_time'])} 본"
        if "film_adjective" in parts:
            # 나 becomes 내 before 가.
            seer = "내가" if viewer == "I" else join(name, SUBJECT)
            was = _adjective(parts["film_adjective"])
            again = join(PEOPLE[viewer], TOPIC)
            return f"{seer} {seen} {join(film, TOPIC)} {was}. {again} 그것을 {judged}."
        opening = f"{person} {seen} {join(film, OBJECT)} {judged}."
        if "film_after" in parts:
            return None
        if "film_was" not in parts:
            return opening
        return f"{opening} {_film_was(parts['film_was'], film)}"
    if "because" in said or "so" in said:
        adjective = ADJECTIVES[next(parts["film_adjective"].words())]
        why = f"{join(film, SUBJECT)} {adjective.past_stem()}기 때문에"
        return f"{why} {person} 그것을 {judged}."
    return (
        f"{join(film, TOPIC)} 어땠나? 그것은 {_adjective(parts['film_adjective'])}."
        f" {join(PEOPLE[viewer], TOPIC)} 그것을 {judged}."
    )


def _time(node: DerivationNode) -> str:
    words = " ".join(node.words())
    return TIMES[words] if words in TIMES else f"{NAMED[words.split()[-1]]}에"


def _adjective(node: DerivationNode) -> str:
    return ADJECTIVES[next(node.words())].past()


def _film_was(node: DerivationNode, film: str) -> str:
    parts, said = _named(node), _said(node)
    if "film_adjectives" in parts:
        one, _, other = parts["film_adjectives"].words()
        return f"{join(film, TOPIC)} {ADJECTIVES[one].stem}고 {ADJECTIVES[other].past()}."
    if "film_adjective" not in parts:
        adjective = next(word for word in said if word in ADJECTIVES)
        return f"그것은 {ADJECTIVES[adjective].past()}."
    topic = "그것은" if said[0] == "it" else join(film, TOPIC)
    very = "매우 " if "very" in said else ""
    return f"{topic} {very}{_adjective(parts['film_adjective'])}."
