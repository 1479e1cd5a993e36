"""Questions about people at work, and where in a passage the derivation says that the answer is.

A passage is some documents one after the other: stories about work, no two of the same job, and
others in which nobody works. What a question asks for is told by its text alone: a story answers
the questions that are written about it, and no other, so a question about another story, or about
what a story leaves out, has no answer. Where two stories or two sentences answer, both are right.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from explorer.world.corpus import CorpusDocument, spell
from explorer.world.grammar import DerivationNode, Symbol, spans
from explorer.world.labelling.knowledge_spans import word_offsets
from explorer.world.language import english
from explorer.world.scenes import small_world
from explorer.world.tables import ACTIVITIES

UNANSWERED: Final = 1 / 3
"""The share of questions that are looked for where a passage does not answer, as in SQuAD 2.0."""

WORDS: Final = range(18, 54)
"""How many words a passage has, marks included: 20 to 60 pieces."""

QUIET: Final = frozenset({
    "film_review", "between_people", "relatives", "day_order", "month_order", "number_order",
    "opposites", "animal_facts", "color_facts",
})  # fmt: skip
"""Documents in which nobody works."""


class AnswerKind(enum.StrEnum):
    """What is asked for."""

    WORKER = "who"
    OBJECT = "what"
    PLACE = "where"
    TOOL = "with what"
    TIME = "when"


_RULES: Final = {
    "worker": AnswerKind.WORKER,
    "worked_on": AnswerKind.OBJECT,
    "place": AnswerKind.PLACE,
    "tool": AnswerKind.TOOL,
    "old_tool": AnswerKind.TOOL,
    "on_day": AnswerKind.TIME,
}
_TIMES: Final = frozenset({"yesterday", "tomorrow", "now"})

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Story:
    """A document about work.

    Attributes:
        document: the words.
        told: the ranges of words in which it tells what may be asked for.
        questions: what may be asked about it, also where it does not tell.
    """

    document: CorpusDocument
    told: Mapping[AnswerKind, tuple[Range, ...]]
    questions: Mapping[AnswerKind, str]

    @property
    def symbol(self) -> Symbol:
        """Activity, worker, tense and thing."""
        return _story(self.document.node).symbol

    @property
    def job(self) -> str:
        """Whose work it is."""
        return ACTIVITIES[int(self.symbol.args[0])].job


@dataclass(frozen=True, slots=True)
class PassageQuestion:
    """A question about a passage.

    Attributes:
        text: the question.
        passage: where the answer is looked for.
        asked: what it asks for.
        answers: characters [start, end) of the passage that are right; none: there is no answer.
    """

    text: str
    passage: str
    asked: AnswerKind
    answers: tuple[Range, ...]

    @property
    def right(self) -> frozenset[str]:
        """The right answers' texts; "" where there is none."""
        return frozenset(self.passage[start:end] for start, end in self.answers) or frozenset({""})


def story_of(document: CorpusDocument) -> Story | None:
    """What a document tells of work; None where it is none that tells."""
    found = spans(document.node, frozenset({*_RULES, "work_done"}))
    done = next((one for one in found if one.symbol.name == "work_done"), None)
    if document.kind != "work" or done is None:
        return None
    told: dict[AnswerKind, list[Range]] = {}
    for one in found:
        if one.symbol.name in _RULES:
            told.setdefault(_RULES[one.symbol.name], []).append((one.start, one.end))
    for at in range(done.start, done.end):
        word = document.words[at]
        if word in _TIMES or word == "every":
            told.setdefault(AnswerKind.TIME, []).append((at, at + 1 + (word == "every")))
    (thing,) = (document.words[start:end] for start, end in told[AnswerKind.OBJECT])
    index, who, tense, _ = done.symbol.args
    return Story(
        document,
        {asked: tuple(ranges) for asked, ranges in told.items()},
        dict(questions_of(int(index), who, tense, thing)),
    )


def _story(node: DerivationNode) -> DerivationNode:
    """The node that knows activity, worker, tense and thing."""
    while node.symbol.name != "work_story":
        (node,) = (child for child in node.children if isinstance(child, DerivationNode))
    return node


def questions_of(
    index: int, who: str, tense: str, thing: tuple[str, ...]
) -> Iterator[tuple[AnswerKind, str]]:
    """What may be asked about a piece of work.

    Args:
        index: Number of the activity.
        who: The worker's pronoun.
        tense: When it is done.
        thing: What is worked on, as the story says it.
    """
    activity = ACTIVITIES[index]
    job = english.plural(activity.job) if who == "they" else activity.job
    # Who is asked about is known: "a house" is "the house" now.
    known = " ".join(("the", *thing[1:]) if thing[0] in ("a", "an") else thing)
    acts = " ".join(small_world().sample(random.Random(0), _verb(activity.verb, tense)).words())  # noqa: S311

    def does(verb: str) -> str:
        if tense == "progressive":
            return f"{english.be(who, 'present')} the {job} {english.progressive(verb)}"
        if tense == "future":
            return f"will the {job} {verb}"
        present = "do" if who == "they" else "does"
        return f"{'did' if tense == 'past' else present} the {job} {verb}"

    yield AnswerKind.WORKER, _spelled(f"who {acts} {known} ?")
    yield AnswerKind.OBJECT, _spelled(f"what {does(activity.verb)} ?")
    yield AnswerKind.PLACE, _spelled(f"where {does(activity.verb)} {known} ?")
    yield AnswerKind.TOOL, _spelled(f"what {does('use')} ?")
    yield AnswerKind.TIME, _spelled(f"when {does(activity.verb)} {known} ?")


def _verb(lemma: str, tense: str) -> Symbol:
    """Of "who", which is one as far as grammar goes."""
    return Symbol("verb", (lemma, tense, "he"))


def _spelled(text: str) -> str:
    return spell(tuple(text.split()))


Part = CorpusDocument | Story


def _document(part: Part) -> CorpusDocument:
    return part.document if isinstance(part, Story) else part


def answers(text: str, passage: Sequence[Part]) -> tuple[Range, ...]:
    """The characters of a passage that answer a question."""
    found: list[Range] = []
    start = 0
    for part in passage:
        if isinstance(part, Story):
            offsets = word_offsets(part.document)
            found += [
                (start + offsets[first][0], start + offsets[last - 1][1])
                for asked, ranges in part.told.items()
                if part.questions[asked] == text
                for first, last in ranges
            ]
        start += len(_document(part).text) + 1
    return tuple(found)


class QuestionWriter:
    """Draws questions about passages that are made of some documents.

    Args:
        documents: stories and others; what is in none of them is asked only where an answer is
            missing.
    """

    def __init__(self, documents: Sequence[CorpusDocument]) -> None:
        told = [story_of(document) for document in documents]
        self.stories = [story for story in told if story is not None]
        self.quiet = [document for document in documents if document.kind in QUIET]

    def draw(self, rng: random.Random) -> PassageQuestion:
        """A passage of two to four documents and a question about it."""
        passage = self._passage(rng, rng.randint(2, 4))
        while sum(len(_document(part).words) for part in passage) not in WORDS:
            passage = self._passage(rng, rng.randint(2, 4))
        return self._about(passage, rng)

    def draw_long(self, rng: random.Random) -> PassageQuestion:
        """One about a passage of five documents, however long."""
        return self._about(self._passage(rng, 5), rng)

    def _passage(self, rng: random.Random, count: int) -> list[Part]:
        stories = self._stories(rng, rng.randint(count // 2, count))
        passage: list[Part] = [*stories, *rng.choices(self.quiet, k=count - len(stories))]
        rng.shuffle(passage)
        return passage

    def _about(self, passage: Sequence[Part], rng: random.Random) -> PassageQuestion:
        story = rng.choice([part for part in passage if isinstance(part, Story)])
        if rng.random() < UNANSWERED:
            asked, text = self._elsewhere(story, rng)
        else:
            asked = rng.choice([one for one in AnswerKind if one in story.told])
            text = story.questions[asked]
        written = " ".join(_document(part).text for part in passage)
        return PassageQuestion(text, written, asked, answers(text, passage))

    def _stories(self, rng: random.Random, count: int) -> list[Story]:
        """Of different jobs: what one does is asked of one."""
        chosen: dict[str, Story] = {}
        while len(chosen) < count:
            story = rng.choice(self.stories)
            chosen.setdefault(story.job, story)
        return list(chosen.values())

    def _elsewhere(self, story: Story, rng: random.Random) -> tuple[AnswerKind, str]:
        """What the story leaves out, or what is asked about another one, alike or any."""
        fate = rng.randrange(3)
        untold = [asked for asked in AnswerKind if asked not in story.told]
        if fate == 0 and untold:
            asked = rng.choice(untold)
            return asked, story.questions[asked]
        if fate == 1:
            # The same people at the same work on something else.
            alike = Symbol("work_on", story.symbol.args[:3])
            node = small_world().sample(rng, alike)
            root = DerivationNode(
                Symbol("document"), 0, (DerivationNode(Symbol("work"), 0, (node,)),)
            )
            other = story_of(CorpusDocument(root, tuple(root.words())))
            asked = rng.choice((AnswerKind.WORKER, AnswerKind.PLACE, AnswerKind.TIME))
            if other is not None:
                return asked, other.questions[asked]
        asked = rng.choice(list(AnswerKind))
        return asked, rng.choice(self.stories).questions[asked]
