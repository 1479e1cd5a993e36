"""Texts of examples: words and answers, by relations that a text hides and its examples tell.

Of dates, qualities and verbs a text asks one relation each, as what comes next or what is the
opposite. Which, only its examples tell, so that the best answer after any number of them is exact
(`explorer.world.tasks.prompts`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from explorer.learning.texts.documents import BLOCK, EndlessDocuments, WrittenDocument
from explorer.learning.texts.training_text import LearningText
from explorer.world.tasks.prompts import KINDS, Pair

ASKED: Final = tuple(kind for kind in KINDS if kind.name in ("Dates", "Qualities", "Verbs"))
"""Kinds of words, of which few are enough to be learnt soon."""
EXAMPLES: Final = 8
"""In a text, before its last question."""
VOCABULARY_TEXTS: Final = 3000
TRAINED, ASKED_LATER, WRITTEN = 0, 1, 2
"""Streams of random numbers: what is read, what is asked of a trained model, and what pieces are
made of."""


@dataclass(frozen=True, slots=True)
class PromptDocument:
    """Questions and their answers.

    Attributes:
        pairs: Each a word and its answer.
    """

    pairs: tuple[Pair, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """One a pair."""
        return tuple(f"{question}: {answer}." for question, answer in self.pairs)

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(self.sentences)

    @property
    def asked(self) -> str:
        """The text up to the last answer."""
        return " ".join([*self.sentences[:-1], f"{self.pairs[-1][0]}:"])


def draw_prompt(rng: random.Random, examples: int) -> PromptDocument:
    """Examples and a question, each of any kind, no word twice."""
    relations = {kind.name: rng.choice([*kind.relations.values()]) for kind in ASKED}
    pairs: dict[str, str] = {}
    while len(pairs) <= examples:
        kind = rng.choice(ASKED)
        word = rng.choice(kind.words)
        pairs.setdefault(word, relations[kind.name][word])
    return PromptDocument(tuple(pairs.items()))


def unmet_prompts(count: int, examples: int) -> list[PromptDocument]:
    """Prompts that no model is trained on, always the same ones."""
    rng = random.Random(f"{ASKED_LATER} {examples}")  # noqa: S311
    return [draw_prompt(rng, examples) for _ in range(count)]


class PromptText(LearningText):
    """Prompts, as many as anybody reads."""

    def documents(self, count: int, seed: int) -> Sequence[WrittenDocument]:
        """The first ones of one stream, or an endless one of the seed's own."""
        if count:
            rng = random.Random(f"{TRAINED}")  # noqa: S311
            return [draw_prompt(rng, EXAMPLES) for _ in range(count)]

        def draw(block: int) -> list[PromptDocument]:
            rng = random.Random(f"{TRAINED} {seed} {block}")  # noqa: S311
            return [draw_prompt(rng, EXAMPLES) for _ in range(BLOCK)]

        return EndlessDocuments(draw)

    def vocabulary_texts(self) -> Iterator[str]:
        """Those of a stream of their own."""
        rng = random.Random(f"{WRITTEN}")  # noqa: S311
        return (draw_prompt(rng, EXAMPLES).text for _ in range(VOCABULARY_TEXTS))
