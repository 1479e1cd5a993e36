"""How often a model judges unseen reviews right, next to who knows the grammar."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.pretraining.tasks.reviews import LABELS, drawn
from explorer.world.grammar import Grammar
from explorer.world.tasks.films import TaskText, best_reading


@dataclass(frozen=True, slots=True)
class SentimentScores:
    """What came of reviews.

    Attributes:
        accuracy: share that is right.
        loss: mean cross-entropy in nats.
        best_accuracy: share that the best reader is right of; not a number where nobody knows.
        best_loss: the least cross-entropy; likewise.
    """

    accuracy: float
    loss: float
    best_accuracy: float = math.nan
    best_loss: float = math.nan


def unseen_reviews(world: Grammar, count: int, seed: int, *, whole: bool) -> list[TaskText]:
    """Reviews that no model is trained on."""
    return list(itertools.islice(drawn(world, seed, withheld=True, whole=whole), count))


def class_logs(model: Any, tokenizer: Any, texts: Sequence[str]) -> np.ndarray[Any, Any]:
    """Log-probabilities of the labels, shape [texts, labels]."""
    import torch

    found = []
    for start in range(0, len(texts), 64):
        read = tokenizer(list(texts[start : start + 64]), padding=True, return_tensors="pt")
        with torch.inference_mode():
            found.append(model(**read).logits.log_softmax(-1))
    logs: np.ndarray[Any, Any] = torch.cat(found).double().numpy()
    return logs


def judged(
    model: Any, tokenizer: Any, reviews: Sequence[TaskText], world: Grammar | None
) -> SentimentScores:
    """The model's judgements; with a grammar, next to those of who knows it.

    Args:
        model: judges.
        tokenizer: its tokenizer.
        reviews: with their labels.
        world: whose reviews they are, where they say what a film was like and no more.
    """
    logs = class_logs(model, tokenizer, [one.text for one in reviews])
    right = np.array([LABELS.index(one.label) for one in reviews])
    accuracy = float((logs.argmax(-1) == right).mean())
    loss = float(-logs[np.arange(len(right)), right].mean())
    return SentimentScores(accuracy, loss, *(best_reading(reviews, world) if world else ()))
