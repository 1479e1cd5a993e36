"""What the numbers in a weight look like: mean, spread, norm, and a histogram."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

BINS = 60
CHUNK = 1 << 22
"""Numbers that are made float64 at once: 32 MB."""


@dataclass(frozen=True)
class Statistics:
    """One tensor's numbers.

    Attributes:
        name: As the module has it.
        shape: Its sizes.
        dtype: "float32", ...
        mean: Of all numbers.
        std: Their standard deviation (of the whole population).
        norm: Euclidean: the root of the sum of squares.
        minimum: The smallest.
        maximum: The largest.
        zeros: How many are exactly zero.
        counts: In BINS bins of equal width from minimum to maximum.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    mean: float
    std: float
    norm: float
    minimum: float
    maximum: float
    zeros: int
    counts: np.ndarray


def pattern_of(path: str) -> re.Pattern[str]:
    """Names below a path of the tree, in which "*" and "1-11" stand for the numbers of layers."""
    return re.compile("".join((_segments(path), r"(\..+)?$")))


def _segments(path: str) -> str:
    found = []
    for segment in path.split("."):
        span = re.fullmatch(r"(\d+)-(\d+)", segment)
        if segment == "*":
            found.append(r"\d+")
        elif span:
            numbers = range(int(span.group(1)), int(span.group(2)) + 1)
            found.append(f"(?:{'|'.join(map(str, numbers))})")
        else:
            found.append(re.escape(segment))
    return r"\.".join(found)


def statistics_of(module: Any, path: str, check: Callable[[], None]) -> tuple[Statistics, ...]:
    """Of every weight below a path, in the module's order.

    Args:
        module: A torch module with weights.
        path: Of the tree.
        check: Called before each tensor; raises to stop.
    """
    wanted = pattern_of(path)
    found = []
    for name, weight in module.named_parameters(remove_duplicate=False):
        if wanted.match(name) and weight.numel() and not weight.is_meta:
            check()
            found.append(describe(name, weight))
    return tuple(found)


def describe(name: str, weight: Any) -> Statistics:
    """One tensor, in pieces, so that a large table does not have to be copied at once."""
    numbers = weight.detach().flatten()
    size = numbers.numel()
    low, high = float(numbers.min()), float(numbers.max())
    edges = np.linspace(low, high, BINS + 1) if high > low else np.linspace(low - 1, low + 1, 61)
    total = squares = 0.0
    zeros = 0
    counts = np.zeros(BINS, dtype=np.int64)
    for start in range(0, size, CHUNK):
        piece = numbers[start : start + CHUNK].cpu().double().numpy()
        total += float(piece.sum())
        squares += float(np.square(piece).sum())
        zeros += int((piece == 0).sum())
        counts += np.histogram(piece, bins=edges)[0]
    mean = total / size
    counts.setflags(write=False)
    return Statistics(
        name=name,
        shape=tuple(int(n) for n in weight.shape),
        dtype=str(weight.dtype).split(".")[-1],
        mean=mean,
        std=float(np.sqrt(max(0.0, squares / size - mean * mean))),
        norm=float(np.sqrt(squares)),
        minimum=low,
        maximum=high,
        zeros=zeros,
        counts=counts,
    )
