"""Attributions by taking words away: pure functions of what is explained and of vectors."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Encoded
from explorer.questions.cause.explained import ExplainedAnswer, Units
from explorer.questions.cause.gradients import Scores
from explorer.text import N_

Value = TypeVar("Value")
Present = NDArray[np.bool_]
"""Which units are there: texts x units."""


def values_of(
    explained: ExplainedAnswer, own: Any, baseline: Any, units: Units, present: Present
) -> Scores:
    """The number for texts in which some units are there and the baseline stands for the others.

    Args:
        explained: The number.
        own: The text's vectors (places x width).
        baseline: Those of the baseline.
        units: What may be there.
        present: Which of them are, a row a text.
    """
    import torch

    rows, which = np.unique(present, axis=0, return_inverse=True)
    there = torch.ones(len(rows), len(own), dtype=torch.bool, device=own.device)
    for number, unit in enumerate(units):
        there[:, list(unit)] = torch.from_numpy(rows[:, [number]]).to(own.device)
    found: Scores = np.empty(len(rows))
    size = explained.at_once(len(own))
    for start in range(0, len(rows), size):
        if len(rows) > size:
            explained.context.progress(N_("explaining"), float(start), float(len(rows)))
        texts = torch.where(there[start : start + size, :, None], own, baseline)
        found[start : start + size] = explained.values(texts).numpy()
    values: Scores = found[which.reshape(-1)]
    return values


def occlusion(explained: ExplainedAnswer, own: Any, baseline: Any, units: Units) -> Scores:
    """What is lost without each unit (Zeiler and Fergus 2014)."""
    present = np.concatenate([np.ones((1, len(units)), bool), ~np.eye(len(units), dtype=bool)])
    values = values_of(explained, own, baseline, units, present)
    lost: Scores = values[0] - values[1:]
    return lost


def deletion(explained: ExplainedAnswer, own: Any, units: Units) -> Scores:
    """What is lost when each unit is taken out and the text closes up (Li et al. 2017)."""
    import torch

    whole = float(explained.values(own[None])[0])
    numbered = sorted(range(len(units)), key=lambda n: _alike(explained, units[n]))
    found: Scores = np.empty(len(units))
    # Texts that differ in nothing but their pieces share a pass.
    for _key, group in groupby(numbered, key=lambda n: _alike(explained, units[n])):
        numbers = list(group)
        shorter = without(explained, units[numbers[0]])
        kept = [[n for n in range(len(own)) if n not in units[number]] for number in numbers]
        values = shorter.values(torch.stack([own[places] for places in kept]))
        found[numbers] = whole - values.numpy()
    return found


def _alike(explained: ExplainedAnswer, unit: Sequence[int]) -> tuple[Any, ...]:
    """What is equal in texts that can share a pass once a unit is out."""
    query = explained.query
    keep = _kept(query.encoded, unit)
    other = tuple(
        tuple(values[0, keep].tolist())
        for name, values in sorted(query.encoded.inputs.items())
        if name != "input_ids"
    )
    return (len(keep), _moved(query.asked, unit), other)


def _kept(encoded: Encoded, unit: Sequence[int]) -> list[int]:
    return [n for n in range(len(encoded.tokens)) if n not in unit]


def _moved(asked: Sequence[int], unit: Sequence[int]) -> tuple[int, ...]:
    """Where the asked places are once a unit is out."""
    return tuple(place - sum(one < place for one in unit) for place in asked)


def without(explained: ExplainedAnswer, unit: Sequence[int]) -> ExplainedAnswer:
    """The same number of the text without some of its tokens."""
    encoded = explained.query.encoded
    keep = _kept(encoded, unit)
    hidden = tuple(
        one
        for place, one in zip(encoded.mask_positions, encoded.hidden, strict=False)
        if place not in unit
    )
    shorter = replace(
        encoded,
        inputs={name: values[:, keep] for name, values in encoded.inputs.items()},
        tokens=tuple(encoded.tokens[n] for n in keep),
        mask_positions=_moved([n for n in encoded.mask_positions if n not in unit], unit),
        hidden=hidden,
    )
    query = explained.query
    moved = replace(
        query,
        encoded=shorter,
        asked=_moved(query.asked, unit),
        pieces=_moved_keys(query.pieces, unit),
        written=_moved_keys(query.written, unit),
    )
    return replace(explained, query=moved)


def _moved_keys(by_place: Mapping[int, Value], unit: Sequence[int]) -> dict[int, Value]:
    kept = {place: value for place, value in by_place.items() if place not in unit}
    return dict(zip(_moved(list(kept), unit), kept.values(), strict=True))


def shapley(
    explained: ExplainedAnswer, own: Any, baseline: Any, units: Units, samples: int, seed: int
) -> tuple[Scores, Scores]:
    """What each unit adds on average over orders, and the standard error of that.

    Where all sets of units are no more than the samples would look at, nothing is sampled: the
    values are exact, and their errors zero. Each sampled order is also gone backwards (Mitchell et
    al. 2022, section 3.3, antithetic sampling), and the error is that of the pairs.

    Args:
        explained: The number.
        own: The text's vectors (places x width).
        baseline: Those of the baseline.
        units: What is scored.
        samples: Orders, each there and back.
        seed: Of the orders.
    """
    count = len(units)
    if 2**count <= 2 * samples * count:
        return exact_shapley(explained, own, baseline, units), np.zeros(count)
    random = np.random.default_rng(seed)
    orders = [random.permutation(count) for _ in range(samples)]
    both = [one for order in orders for one in (order, order[::-1])]
    present = np.concatenate([_growing(order) for order in both])
    values = values_of(explained, own, baseline, units, present)
    steps = np.diff(values.reshape(len(both), count + 1), axis=1)
    added = np.empty_like(steps)
    for row, order in enumerate(both):
        added[row, order] = steps[row]
    pairs = added.reshape(samples, 2, count).mean(axis=1)
    errors = pairs.std(axis=0, ddof=1) / math.sqrt(samples) if samples > 1 else np.zeros(count)
    return pairs.mean(axis=0), errors


def exact_shapley(explained: ExplainedAnswer, own: Any, baseline: Any, units: Units) -> Scores:
    """Shapley values by their definition, over all sets of units."""
    count = len(units)
    sets = np.arange(2**count)
    present = (sets[:, None] >> np.arange(count)) & 1 == 1
    values = values_of(explained, own, baseline, units, present)
    sizes = present.sum(axis=1)
    ways = [
        math.factorial(size) * math.factorial(count - size - 1) / math.factorial(count)
        for size in range(count)
    ]
    found: Scores = np.empty(count)
    for number in range(count):
        before = sets[~present[:, number]]
        weights = np.array(ways)[sizes[before]]
        found[number] = (weights * (values[before | 1 << number] - values[before])).sum()
    return found


def _growing(order: NDArray[np.int64]) -> Present:
    """Texts that get one unit after the other, from none to all (units + 1 x units)."""
    present = np.zeros((len(order) + 1, len(order)), bool)
    for step, unit in enumerate(order, start=1):
        present[step:, unit] = True
    return present
