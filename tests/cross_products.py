"""Cross products, of which each pair of values is tried by default and everything with --all."""

import itertools
from collections.abc import Hashable, Sequence
from typing import Any

import pytest


def pairs_first(*axes: Sequence[Any]) -> list[Any]:
    """The whole product as parameters; those that show no further pair of values are costly.

    Where something goes wrong by itself or by two things that come together, few of all
    combinations show it (Cohen et al. 1997). With two axes every combination is a pair, so those
    are tried once for each value of either.

    Args:
        axes: What each parameter may be.
    """
    open_ = {one for combination in _numbers(axes) for one in _shown(combination)}
    chosen = set()
    while open_:
        best = max(_numbers(axes), key=lambda one: len(open_ & _shown(one)))
        chosen.add(best)
        open_ -= _shown(best)
    return [
        pytest.param(
            *(axis[number] for axis, number in zip(axes, one, strict=True)),
            marks=() if one in chosen else pytest.mark.costly,
        )
        for one in _numbers(axes)
    ]


def _numbers(axes: Sequence[Sequence[Any]]) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(len(axis)) for axis in axes)))


def _shown(combination: tuple[int, ...]) -> set[Hashable]:
    """Its pairs; its values where there are only two axes."""
    values = list(enumerate(combination))
    return set(itertools.combinations(values, 2)) if len(values) > 2 else set(values)
