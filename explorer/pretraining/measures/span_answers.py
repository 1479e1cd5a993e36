"""How well a model with a span head answers, on passages of unseen documents.

Every document of such a passage has a sentence that is in no training text. The model answers as
in SQuAD 2.0: with its best span of the passage, or not at all where the score of the first token,
which stands for no answer, is higher. What is right is known from the derivation
(`explorer.world.tasks.questions`): one span, or none, or two that both count as right, and never
anything that the text leaves open; so the ceiling of exact match is 100 %.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.learning.batches.answers import segments
from explorer.learning.measured.detection import area_under_curve
from explorer.numerics.spans import best_span
from explorer.world.corpus import CorpusDocument
from explorer.world.tasks.questions import PassageQuestion, QuestionWriter

CEILING: Final = 1.0
LONGEST: Final = 15
"""Pieces of the longest answer, as the program has it."""


@dataclass(frozen=True, slots=True)
class PredictedSpan:
    """What a model says.

    Attributes:
        text: its best span.
        none: by how much the score of no answer is above that of the span.
    """

    text: str
    none: float

    @property
    def said(self) -> str:
        """The answer; "" for none."""
        return "" if self.none > 0.0 else self.text


@dataclass(frozen=True, slots=True)
class SpanScores:
    """Each from 0 to 1.

    Attributes:
        exact: share of questions that are answered with a right span's very text, or rightly not.
        answered: that of those with an answer alone.
        f1: words that the said and the right answer share (Rajpurkar et al. 2016), on average.
        area: area under the ROC curve of no answer: how often a question without one scores above
            one with one.
        unanswerable: share of questions without an answer.
    """

    exact: float
    answered: float
    f1: float
    area: float
    unanswerable: float


def unseen_questions(
    documents: Sequence[CorpusDocument], count: int, seed: int
) -> list[PassageQuestion]:
    """So many questions about passages of some documents."""
    asker, rng = QuestionWriter(documents), random.Random(seed)  # noqa: S311
    return [asker.draw(rng) for _ in range(count)]


def answer(model: Any, tokenizer: Any, question: str, passage: str) -> PredictedSpan:
    """The best span, and how it compares with no answer."""
    import torch

    (encoding,) = tokenizer([question], [passage]).encodings
    inputs = {
        "input_ids": torch.tensor([encoding.ids]),
        "attention_mask": torch.tensor([encoding.attention_mask]),
    }
    if getattr(model.config, "type_vocab_size", 0):
        inputs["token_type_ids"] = torch.tensor([segments(encoding)])
    with torch.inference_mode():
        said = model(**inputs)
    inside = [at for at, which in enumerate(encoding.sequence_ids) if which == 1]
    starts, ends = said.start_logits[0].numpy(), said.end_logits[0].numpy()
    first, last = (inside[at] for at in best_span(starts[inside], ends[inside], LONGEST))
    offsets = encoding.offsets
    text = passage[offsets[first][0] : offsets[last][1]]
    return PredictedSpan(text, float(starts[0] + ends[0] - starts[first] - ends[last]))


def measure(model: Any, tokenizer: Any, questions: Sequence[PassageQuestion]) -> SpanScores:
    """Ask them all."""
    answers = [answer(model, tokenizer, one.text, one.passage) for one in questions]
    exact = np.array([a.said in q.right for a, q in zip(answers, questions, strict=True)])
    unanswerable = np.array([not one.answers for one in questions])
    shared = [
        max(overlap(a.said, right) for right in q.right)
        for a, q in zip(answers, questions, strict=True)
    ]
    return SpanScores(
        float(exact.mean()),
        float(exact[~unanswerable].mean()),
        float(np.mean(shared)),
        area_under_curve(np.array([one.none for one in answers]), unanswerable),
        float(unanswerable.mean()),
    )


def overlap(said: str, right: str) -> float:
    """F1 of the words of two answers; no answer is like no answer alone."""
    one, other = Counter(said.lower().split()), Counter(right.lower().split())
    if not one or not other:
        return float(one == other)
    shared = (one & other).total()
    return 2.0 * shared / (one.total() + other.total())
