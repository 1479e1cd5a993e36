"""The nearest of many states by cosine, exactly."""

from collections.abc import Callable
from typing import Any

import numpy as np

CHUNK = 4096
"""States that are compared at once: as float32 they stay in a processor's cache."""


def nearest(
    states: Any, wanted: Any, count: int, check: Callable[[], None] = lambda: None
) -> tuple[Any, Any]:
    """Which states are nearest to some vectors.

    Exact: every product is taken, in float32, of halves that are read where they lie. A million
    states 128 wide take some 50 ms for one vector, so no approximate index earns its place.

    Args:
        states: Shape [states, width], float16, each of length 1.
        wanted: Shape [vectors, width], float32, each of length 1.
        count: How many of each.
        check: Called now and then; may raise to stop.

    Returns:
        Numbers of the nearest, [vectors, count], and their cosines; of equal ones the first.
    """
    import torch

    vectors = torch.from_numpy(np.ascontiguousarray(wanted, np.float32).T.copy())
    scores, places = [], []
    with torch.inference_mode():
        for number, start in enumerate(range(0, len(states), CHUNK)):
            if number % 64 == 0:
                check()
            part = torch.from_numpy(np.array(states[start : start + CHUNK])).float()
            best = (part @ vectors).topk(min(count, len(part)), dim=0)
            scores.append(best.values)
            places.append(best.indices + start)
        if not scores:
            empty = np.zeros((len(wanted), 0))
            return empty.astype(np.int64), empty.astype(np.float32)
        every, where = torch.cat(scores).T.numpy(), torch.cat(places).T.numpy()
    order = np.lexsort((where, -every), axis=-1)[:, :count]
    return np.take_along_axis(where, order, 1), np.take_along_axis(every, order, 1)


def unit(rows: Any) -> Any:
    """Rows of length 1, float32; one of zeros stays so."""
    values = np.asarray(rows, np.float32)
    lengths = np.linalg.norm(values, axis=-1, keepdims=True)
    return values / np.where(lengths > 0, lengths, 1)
