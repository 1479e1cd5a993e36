"""Prompts of the small world: examples of hidden relations, a question, and its best answer.

The words of a prompt are of five kinds: jobs, animals, qualities, dates and verbs. Of each kind a
prompt asks one relation, which it hides: of jobs the tool or the place, of qualities the opposite,
and so on, drawn evenly and for each kind apart. So a question alone tells nothing of what is asked,
an example of its kind tells it (but for words whose answers are the same), and one of another kind
does not. Because the drawing is known, so is the best possible answer: every relation of the
question's kind that agrees with the examples is as likely as the other ones (`best_answers`).

Two in three prompts mix all kinds. The others keep to one kind, and more than half of those name
its relation first ("Jobs: tool. chef -> pan."). Of each kind a tenth of the words are withheld: in
training they stand only in prompts that name the relation, and never where it has to be found out.
What is drawn does not hang on the relation, so the best learner needs to know nothing of that.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from explorer.world import tables
from explorer.world.language import english

Pair = tuple[str, str]
"""A question and its answer."""

MOST_EXAMPLES: Final = 8
MIXED: Final = 0.65
"""The share of prompts that mix all kinds."""
NAMED: Final = 0.2
"""The share of prompts that keep to one kind and name its relation."""
WITHHELD_SHARE: Final = 0.1
_SALT: Final = "prompts 1"

LAYOUTS: Final = ("{question} -> {answer}.", "{question}: {answer}.")
"""How pairs are written; one prompt is written in one way, either as often."""


@dataclass(frozen=True)
class RelationKind:
    """Words of which the same can be asked.

    Attributes:
        name: in the plural, as a prompt names it.
        relations: by their names, the answer to each word; all have the same words.
    """

    name: str
    relations: Mapping[str, Mapping[str, str]]

    @functools.cached_property
    def words(self) -> tuple[str, ...]:
        """What can be asked about."""
        return tuple(next(iter(self.relations.values())))

    @functools.cached_property
    def withheld(self) -> frozenset[str]:
        """The words that in training stand only where the relation is named."""

        def rank(word: str) -> str:
            return hashlib.sha256(f"{_SALT}\n{word}".encode()).hexdigest()

        return frozenset(sorted(self.words, key=rank)[: round(WITHHELD_SHARE * len(self.words))])


def _first(weighted: tables.Weighted) -> str:
    """The heaviest; the first of those that weigh the same."""
    return max(weighted, key=lambda item: item[0])[1]


def _kind(
    name: str, singular: str, words: Iterable[str], **relations: Callable[[str], str]
) -> RelationKind:
    words = tuple(words)
    relations = {**relations, "kind": lambda _: singular, "same": str}
    return RelationKind(
        name, {one: {word: ask(word) for word in words} for one, ask in relations.items()}
    )


def _kinds() -> tuple[RelationKind, ...]:
    works: dict[str, tables.Activity] = {}
    for work in tables.ACTIVITIES:
        # Of a job that does several things, the first.
        works.setdefault(work.job, work)
    animals = {row[0]: row[1:] for row in tables.ANIMALS}
    opposites = {
        word: answer
        for one, other, _ in tables.OPPOSITES
        # What has no comparative by an ending is left out.
        if not {"open", "difficult"} & {one, other}
        for word, answer in ((one, other), (other, one))
    }
    after = {
        day: following
        for cycle in (tables.DAYS, tables.MONTHS)
        for day, following in zip(cycle, (*cycle[1:], cycle[0]), strict=True)
    }
    before = {following: day for day, following in after.items()}
    verbs = dict.fromkeys(
        verb
        for verb in (*(work.verb for work in works.values()), *(row[4] for row in animals.values()))
        if verb not in opposites
    )
    return (
        _kind(
            "Jobs",
            "job",
            works,
            tool=lambda job: _first(works[job].tools),
            place=lambda job: _first(works[job].places),
            action=lambda job: works[job].verb,
            thing=lambda job: _first(works[job].objects),
            plural=english.plural,
        ),
        _kind(
            "Animals",
            "animal",
            animals,
            sound=lambda animal: animals[animal][0],
            food=lambda animal: animals[animal][1],
            place=lambda animal: animals[animal][2],
            legs=lambda animal: animals[animal][3],
            ability=lambda animal: animals[animal][4],
            plural=english.plural,
        ),
        _kind(
            "Qualities",
            "quality",
            opposites,
            opposite=opposites.__getitem__,
            more=english.comparative,
            most=english.superlative,
        ),
        _kind(
            "Dates",
            "date",
            after,
            next=after.__getitem__,
            previous=before.__getitem__,
            later=lambda date: after[after[date]],
        ),
        _kind(
            "Verbs",
            "verb",
            verbs,
            past=english.past,
            progressive=english.progressive,
            present=lambda verb: english.present(verb, "she"),
        ),
    )


KINDS: Final = _kinds()


def kind_of(word: str) -> RelationKind | None:
    """The kind of a word; None where the prompts know no such word."""
    return next((kind for kind in KINDS if word in kind.words), None)


@dataclass(frozen=True, slots=True)
class WorldPrompt:
    """Examples and a question, with its answer.

    Attributes:
        pairs: the examples, and last the question and its answer.
        relations: what is asked, by kind.
        named: the kind whose relation the prompt names; None if it names none.
        layout: how each pair is written.
    """

    pairs: tuple[Pair, ...]
    relations: Mapping[str, str]
    named: str | None
    layout: str

    @property
    def examples(self) -> tuple[Pair, ...]:
        """The examples."""
        return self.pairs[:-1]

    @property
    def question(self) -> str:
        """The word that is asked about."""
        return self.pairs[-1][0]

    @property
    def answer(self) -> str:
        """What is right."""
        return self.pairs[-1][1]

    @property
    def asked(self) -> str:
        """The text up to where the answer to the question begins, without the space before it."""
        written = [self.layout.format(question=one, answer=other) for one, other in self.examples]
        if self.named is not None:
            written.insert(0, f"{self.named}: {self.relations[self.named]}.")
        before, _, _ = self.layout.partition("{answer}")
        return " ".join([*written, before.format(question=self.question).rstrip()])

    @property
    def text(self) -> str:
        """The whole text."""
        *_, closing = self.layout.partition("{answer}")
        return f"{self.asked} {self.answer}{closing}"

    @property
    def answered(self) -> tuple[tuple[int, int], ...]:
        """The characters [start, end) of each pair that stand behind its question."""
        found: list[tuple[int, int]] = []
        end = len(self.text)
        for question, answer in reversed(self.pairs):
            written = self.layout.format(question=question, answer=answer)
            opening, _, _ = self.layout.partition("{question}")
            start = end - len(written)
            found.append((start + len(opening) + len(question), end))
            end = start - 1
        return tuple(reversed(found))


def draw(rng: random.Random, examples: int, *, mixed: bool | None = None) -> WorldPrompt:
    """A prompt as in training.

    Args:
        rng: what decides.
        examples: how many come before the question.
        mixed: whether it mixes kinds; drawn as in training if not given.
    """
    relations = {kind.name: rng.choice([*kind.relations]) for kind in KINDS}
    layout = rng.choice(LAYOUTS)
    way = 0.0 if mixed else rng.random()
    one = None if mixed or (mixed is None and way < MIXED) else rng.choice(KINDS)
    named = None if one is None or way < 1.0 - NAMED else one.name
    words: list[str] = []
    while len(words) <= examples:
        kind = one or rng.choice(KINDS)
        word = rng.choice(kind.words)
        if word not in words and (named is not None or word not in kind.withheld):
            words.append(word)
    return WorldPrompt(
        tuple(_answered(word, relations) for word in words), relations, named, layout
    )


def _answered(word: str, relations: Mapping[str, str]) -> Pair:
    kind = next(kind for kind in KINDS if word in kind.words)
    return word, kind.relations[relations[kind.name]][word]


def ask_withheld(rng: random.Random, examples: int) -> WorldPrompt:
    """A prompt that mixes kinds and asks about a withheld word, of the kind of an example."""
    prompt = draw(rng, examples, mixed=True)
    kind = kind_of(rng.choice(prompt.examples)[0])
    assert kind is not None
    word = rng.choice(sorted(kind.withheld))
    return WorldPrompt(
        (*prompt.examples, _answered(word, prompt.relations)),
        prompt.relations,
        prompt.named,
        prompt.layout,
    )


def training_prompts(count: int, seed: int) -> list[WorldPrompt]:
    """Prompts of `MOST_EXAMPLES` examples, whose beginnings are prompts of fewer."""
    rng = random.Random(seed)  # noqa: S311
    return [draw(rng, MOST_EXAMPLES) for _ in range(count)]


def possible(examples: Iterable[Pair], question: str, named: str | None = None) -> tuple[str, ...]:
    """The relations of the question's kind that agree with what is seen; they are equally likely.

    Args:
        examples: questions and answers before it.
        question: the word that is asked about.
        named: the relation of its kind, where the prompt names it.

    Returns:
        None if the question is no word of a prompt, or no relation agrees.
    """
    kind = kind_of(question)
    if kind is None:
        return ()
    seen = [pair for pair in examples if pair[0] in kind.words]
    return tuple(
        name
        for name, answers in kind.relations.items()
        if named in (None, name) and all(answers[word] == answer for word, answer in seen)
    )


def best_answers(
    examples: Iterable[Pair], question: str, named: str | None = None
) -> dict[str, float]:
    """What the best learner answers: probabilities, the likeliest first; none as `possible`."""
    kind, names = kind_of(question), possible(examples, question, named)
    found: dict[str, float] = {}
    for name in names:
        assert kind is not None
        answer = kind.relations[name][question]
        found[answer] = found.get(answer, 0.0) + 1.0 / len(names)
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def best_learner(prompts: Sequence[WorldPrompt]) -> list[dict[str, float]]:
    """What the best learner answers to each prompt."""
    return [
        best_answers(
            prompt.examples,
            prompt.question,
            None if prompt.named is None else prompt.relations[prompt.named],
        )
        for prompt in prompts
    ]


def guessed(answers: Mapping[str, float], answer: str) -> float:
    """How often an answer is given by who takes one of the likeliest, evenly."""
    most = max(answers.values())
    likeliest = [word for word, chance in answers.items() if chance > most - 1e-12]
    return (answer in likeliest) / len(likeliest)
