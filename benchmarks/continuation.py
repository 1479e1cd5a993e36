"""Texts that go on, token by token: how quickly, and the first token at GPT-2's small size."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.child import ROOT
from benchmarks.engine import engine_with
from benchmarks.random_gpt2 import save_gpt2_small
from benchmarks.rival import medians
from benchmarks.row import Row, median_seconds

MINIATURE = ROOT / "resources" / "models" / "gpt2-miniature"
BEGINNING = "The chef cooked the"
LETTERS = "abcdefghijklmnopqrstuvwxy"
"""A token each."""
NEW = 32
REPEATS = 9


def measure() -> list[Row]:
    """The miniature, and random weights of GPT-2's small size beside transformers' `generate`."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "gpt2-small-random"
        save_gpt2_small(folder)
        with engine_with(folder) as ask:
            first = median_seconds(lambda: ask(_greedy(1)), REPEATS)
            ours, theirs = medians(_turns(ask, _generator(folder)))
    return [
        Row(
            "a token of a text that goes on, miniature, each step's alternatives kept, engine to "
            "UI included",
            _seconds_a_token(),
            None,
            1 / 30,
            f"median of {REPEATS} texts, all cuts in turn, 100 alternatives a step; 30 tokens a "
            "second",
        ),
        Row(
            "first token of a text, GPT-2 small size, engine to UI included",
            first,
            None,
            0.3,
            f"median of {REPEATS}, {len(LETTERS)} tokens read, random weights, float32, CPU",
        ),
        Row(
            f"{NEW} tokens of a text, GPT-2 small size, each step's alternatives kept, engine to "
            "UI included, against transformers' generate",
            ours,
            theirs,
            1.0,
            f"median of {REPEATS} in turns, {len(LETTERS)} tokens read, greedy, random weights, "
            "float32, CPU; ours keeps the 10 most probable tokens and the entropy of each step, "
            "theirs the text; both write the same",
        ),
    ]


def _greedy(count: int) -> Any:
    from explorer.questions.generation.continuation.question import ContinuationRequest

    return ContinuationRequest(LETTERS, max_new_tokens=count)


def _seconds_a_token() -> float:
    from explorer.questions.generation.continuation.options import Strategy
    from explorer.questions.generation.continuation.question import ContinuationRequest

    taken = []
    with engine_with(MINIATURE) as ask:
        for seed in range(REPEATS + 1):
            request = ContinuationRequest(
                BEGINNING, strategy=Strategy.COMBINED, alternatives=100, seed=seed
            )
            start = time.perf_counter()
            written = len(ask(request).tokens)
            taken.append((time.perf_counter() - start) / written)
    return statistics.median(taken[1:])  # the first one warms up


def _generator(folder: Path) -> Callable[[], list[int]]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    ids = AutoTokenizer.from_pretrained(folder)(LETTERS, return_tensors="pt")["input_ids"]

    def generate() -> list[int]:
        with torch.inference_mode():
            found = model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=NEW,
                do_sample=False,
                pad_token_id=0,
            )
        return list(found[0, ids.shape[1] :].tolist())

    return generate


def _turns(
    ask: Callable[[Any], Any], generate: Callable[[], list[int]]
) -> Iterator[tuple[float, float]]:
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        mine = [one.id for one in ask(_greedy(NEW)).tokens]
        between = time.perf_counter()
        other = generate()
        if mine != other:
            raise RuntimeError("Both wrote different texts.")
        yield between - start, time.perf_counter() - between
