"""How often a model chooses what follows a text, beside who knows the world exactly."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.learning.batches.choices import MARKS
from explorer.world.corpus import documents, has_withheld
from explorer.world.exact.pairs import follows
from explorer.world.exact.truth import Truth


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """A text, and what may follow it.

    Attributes:
        context: the sentences before the cut.
        choices: what stood behind it, first; then what others have from one of their sentences on.
    """

    context: str
    choices: tuple[str, ...]


def draw_question(
    document: Sequence[str], others: Sequence[Sequence[str]], rng: random.Random
) -> ChoiceItem:
    """Cut a document of two or more sentences, and put the ends of others beside its own."""
    cut = rng.randrange(1, len(document))
    ends = [" ".join(other[rng.randrange(len(other)) :]) for other in others]
    return ChoiceItem(" ".join(document[:cut]), (" ".join(document[cut:]), *ends))


def unseen_questions(count: int, choices: int, seed: int) -> list[ChoiceItem]:
    """Questions about different documents, each with a sentence that is in no training text.

    What others end with is drawn from any documents, as in training.
    """
    rng = random.Random(f"{seed} {choices}")  # noqa: S311
    stream = documents(seed)
    asked: dict[tuple[str, ...], ChoiceItem] = {}
    while len(asked) < count:
        document = next(one for one in stream if has_withheld(one) and len(one.sentences) > 1)
        others = [next(stream).sentences for _ in range(choices - 1)]
        asked.setdefault(document.words, draw_question(document.sentences, others, rng))
    return list(asked.values())


def lay_out(tokenizer: Any, context: str, choice: str) -> list[int]:
    """Start, the text, delimiter, the choice, extract (section 3.3)."""
    start, delimiter, extract = tokenizer.convert_tokens_to_ids(list(MARKS))
    first, second = tokenizer([context, choice], add_special_tokens=False)["input_ids"]
    return [start, *first, delimiter, *second, extract]


def scores_of(model: Any, tokenizer: Any, question: ChoiceItem) -> list[float]:
    """The raw score of each choice by the head of a GPT-1, or of a BERT."""
    import torch

    found = []
    for choice in question.choices:
        with torch.inference_mode():
            if model.config.model_type == "bert":
                read = tokenizer(question.context, choice, return_tensors="pt")
                rows = {name: one[None] for name, one in read.items()}
                found.append(float(model(**rows).logits[0, 0]))
            else:
                ids = torch.tensor([[lay_out(tokenizer, question.context, choice)]])
                found.append(float(model(input_ids=ids).mc_logits[0, 0]))
    return found


def best_shares(truth: Truth, tokenizer: Any, question: ChoiceItem) -> list[float]:
    """How probable each choice is to who knows the world: of one in the place of each, one follows.

    The odds that a text follows another, against its being any other's end, are those of
    `explorer.world.exact.pairs`; which of several follows is as probable as its share of their sum.
    """
    first = tokenizer.tokenize(question.context)
    odds = []
    for choice in question.choices:
        p = follows(truth, first, tokenizer.tokenize(choice)).probability
        odds.append(0.0 if p is None else p / (1 - p) if p < 1 else math.inf)
    if math.inf in odds:
        odds = [1.0 if one == math.inf else 0.0 for one in odds]
    total = math.fsum(odds)
    return [one / total for one in odds]


@dataclass(frozen=True, slots=True)
class ChoiceScores:
    """What came of questions with as many choices.

    Attributes:
        choices: that number.
        accuracy: how often the choice that follows has the highest score.
        best_accuracy: how often it is the likeliest to who knows the world; of several as likely
            ones each counts its share.
        loss: mean of minus the log of its probability, in nats.
        best_loss: the same of who knows the world.
    """

    choices: int
    accuracy: float
    best_accuracy: float
    loss: float
    best_loss: float


def measure(model: Any, tokenizer: Any, questions: Sequence[ChoiceItem]) -> ChoiceScores:
    """The model's choices beside those of who knows the world."""
    truth = Truth(tokenizer.tokenize)
    right, best_right, losses, best_losses = [], [], [], []
    for question in questions:
        scores = np.array(scores_of(model, tokenizer, question))
        losses.append(float(np.logaddexp.reduce(scores) - scores[0]))
        right.append(float(scores.argmax() == 0))
        shares = best_shares(truth, tokenizer, question)
        best_losses.append(-math.log(shares[0]))
        top = [n for n, one in enumerate(shares) if math.isclose(one, max(shares), rel_tol=1e-9)]
        best_right.append((0 in top) / len(top))
    means = (float(np.mean(one)) for one in (right, best_right, losses, best_losses))
    return ChoiceScores(len(questions[0].choices), *means)
