"""From hidden states to log-probabilities, and the one failure on the way."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from explorer.api.family import Context, LoadedModel, MachineFault
from explorer.text import N_

BLOCK = 16_000_000
"""Numbers held at once (64 MB in float32), so that many rows of a large vocabulary fit."""


def must_be_numbers(model: LoadedModel, values: Any) -> None:
    """Refuse a tensor with a NaN in it.

    Args:
        model: Whose they are.
        values: A tensor of any shape.

    Raises:
        MachineFault: The model's number type is too small for its numbers.
    """
    if bool(values.isnan().any()):
        raise MachineFault(
            N_("The model's numbers overflow in {dtype}."),
            N_("Load it as float32."),
            dtype=model.stamp.dtype,
        )


def log_rows(model: LoadedModel, logits_of: Callable[[Any], Any], states: Any) -> Any:
    """Log-probabilities of states, float32.

    Args:
        model: Whose states.
        logits_of: Its head: states (n x hidden) to logits (n x vocabulary).
        states: Tensor (n x hidden).

    Returns:
        Tensor (n x vocabulary): natural logarithms of the softmax over the whole vocabulary.

    Raises:
        MachineFault: The logits are not numbers.
    """
    import torch

    found = []
    for some in states.split(rows_at_once(model)):
        rows = torch.log_softmax(logits_of(some).float(), dim=-1)
        must_be_numbers(model, rows)
        found.append(rows)
    return found[0] if len(found) == 1 else torch.cat(found)


def rows_at_once(model: LoadedModel) -> int:
    """Whole distributions that are held at once."""
    return max(1, BLOCK // (int(getattr(model.config, "vocab_size", 0)) or 1))


def part_of(context: Context, stage: str, start: int, total: int) -> Context:
    """A context for some of many queries, whose progress is told as that of all of them.

    Args:
        context: Of the run.
        stage: What a person is told is going on.
        start: Queries that were answered before.
        total: Queries in all.
    """

    def told(_stage: str, done: float, _total: float) -> None:
        context.progress(stage, start + done, float(total))

    return replace(context, progress=told)


def in_blocks(counts: list[int], model: LoadedModel, context: Context) -> Iterator[slice]:
    """Slices of queries whose rows together fit into a block, one query at least.

    Args:
        counts: Rows that each query asks for.
        model: Whose vocabulary.
        context: Asked before every block whether to go on.
    """
    most = rows_at_once(model)
    start = held = 0
    for number, count in enumerate(counts):
        if number > start and held + count > most:
            context.check()
            yield slice(start, number)
            start, held = number, 0
        held += count
    if start < len(counts):
        context.check()
        yield slice(start, len(counts))
