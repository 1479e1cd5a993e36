"""How well a model answers prompts, beside the best learner."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.learning.batches.chunked import padded
from explorer.world.tasks.prompts import WorldPrompt, ask_withheld, best_learner, draw, guessed


@dataclass(frozen=True, slots=True)
class PromptScores:
    """What came of prompts with the same number of examples.

    Attributes:
        examples: that number.
        loss: mean of minus the log-probability of the right answer's text, in nats.
        error: the standard error of how far that mean is above the floor.
        floor: the best learner's loss.
        accuracy: the share of prompts whose answer is the likeliest, piece by piece.
        best_accuracy: the best learner's, where of several as likely ones each counts its share.
    """

    examples: int
    loss: float
    error: float
    floor: float
    accuracy: float
    best_accuracy: float


def draw_prompts(
    examples: int, count: int, seed: int, *, withheld: bool = False
) -> list[WorldPrompt]:
    """Prompts that mix kinds; where withheld, they ask about words that are."""
    rng = random.Random(f"{seed} {examples} {withheld}")  # noqa: S311
    if withheld:
        return [ask_withheld(rng, examples) for _ in range(count)]
    return [draw(rng, examples, mixed=True) for _ in range(count)]


def losses(
    model: Any, tokenizer: Any, prompts: Sequence[WorldPrompt]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Of each prompt, the loss of its answer in nats, and whether its pieces are the likeliest."""
    import torch

    found: list[tuple[float, bool]] = []
    for start in range(0, len(prompts), 100):
        some = prompts[start : start + 100]
        asked = [tokenizer(prompt.asked)["input_ids"] for prompt in some]
        answers = [tokenizer(f" {prompt.answer}")["input_ids"] for prompt in some]
        rows = [[*before, *after] for before, after in zip(asked, answers, strict=True)]
        with torch.inference_mode():
            logits = model(input_ids=padded(rows, 0), use_cache=False).logits
        logs = torch.log_softmax(logits.double(), dim=-1)
        for row, before, after in zip(logs, asked, answers, strict=True):
            at = range(len(before) - 1, len(before) - 1 + len(after))
            pieces = [*zip(at, after, strict=True)]
            loss = -math.fsum(float(row[place, piece]) for place, piece in pieces)
            found.append((loss, all(int(row[place].argmax()) == piece for place, piece in pieces)))
    told, hits = zip(*found, strict=True)
    return np.array(told), np.array(hits)


def measure(model: Any, tokenizer: Any, prompts: Sequence[WorldPrompt]) -> PromptScores:
    """The model's answers beside the best learner's, to prompts with as many examples."""
    told, hits = losses(model, tokenizer, prompts)
    best = [*zip(best_learner(prompts), (one.answer for one in prompts), strict=True)]
    floor = np.array([-math.log(answers[right]) for answers, right in best])
    return PromptScores(
        examples=len(prompts[0].examples),
        loss=float(told.mean()),
        error=float((told - floor).std(ddof=1) / math.sqrt(len(prompts))),
        floor=float(floor.mean()),
        accuracy=float(hits.mean()),
        best_accuracy=float(np.mean([guessed(*one) for one in best])),
    )
