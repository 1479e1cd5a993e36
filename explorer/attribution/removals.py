"""Attributions by taking words away: pure functions of what is explained and of vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.attribution import Scores
from explorer.api.question import Encoded
from explorer.attribution.explained import ExplainedAnswer, Units
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


def alike(explained: ExplainedAnswer, unit: Sequence[int]) -> tuple[Any, ...]:
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
