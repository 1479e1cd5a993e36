"""How often a causal model answers rightly after so many examples."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from explorer.learning.batches.chunked import padded
from explorer.learning.texts.prompts import unmet_prompts

PROMPTS: Final = 400
"""That are asked, for each number of examples."""


def answered_from(model: Any, tokenizer: Any, examples: int) -> float:
    """How often the likeliest answer is right: its pieces, each with those before it given.

    Args:
        model: with a head for the next piece.
        tokenizer: its tokenizer.
        examples: before the question.
    """
    import torch

    prompts = unmet_prompts(PROMPTS, examples)
    before = [_numbers(tokenizer, prompt.asked) for prompt in prompts]
    answers = [_numbers(tokenizer, prompt.pairs[-1][1]) for prompt in prompts]
    read = [np.array(one + answer) for one, answer in zip(before, answers, strict=True)]
    with torch.inference_mode():
        likeliest = model(input_ids=padded(read, 0)).logits.argmax(dim=-1).numpy()
    right = [
        list(row[len(one) - 1 : len(one) - 1 + len(answer)]) == answer
        for row, one, answer in zip(likeliest, before, answers, strict=True)
    ]
    return float(np.mean(right))


def _numbers(tokenizer: Any, text: str) -> list[int]:
    found: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return found
