"""Which rows of a layer's matrices give a head's queries, keys and values, by their numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from explorer.hf.attention.watching import AttendingCall

STEP = 16
"""Heads begin in a matrix at multiples of their width, or of this where it divides that."""


@dataclass(frozen=True, eq=False)
class PartSource:
    """What a module below an attention's gave before it attended.

    Attributes:
        module: With a weight.
        given: Its first tensor; None without one.
        gave: What came out.
    """

    module: Any
    given: Any
    gave: Any


@dataclass(frozen=True, eq=False)
class HeadRows:
    """Where the numbers of heads come from.

    Attributes:
        module: Path, from the attention's, of the module that gives them; behind norms.
        numbers: Which of the numbers that it gives for a token are a head's, heads x width.
        heads_first: It gives heads before tokens.
        matrix: Path of the linear module whose rows they are of; "" where none gives them so.
        rows: Which of its rows, heads x width; None without one.
        turned: Rotated before they are multiplied (Su et al. 2021).
    """

    module: str
    numbers: Any
    heads_first: bool = False
    matrix: str = ""
    rows: Any = None
    turned: bool = False


def rows_of_parts(
    owner: Any, call: AttendingCall, sources: Sequence[PartSource], close: float
) -> tuple[HeadRows | None, HeadRows | None, HeadRows | None]:
    """Of queries, keys and values; None of what no module of the attention's own gives.

    Args:
        owner: The module that attends.
        call: Its queries, keys and values.
        sources: What modules below it gave, in their order.
        close: How far numbers may be off, by the size of the largest.
    """
    paths = {part: path for path, part in owner.named_modules()}
    own = [one for one in sources if one.module in paths]
    queries, keys, values = (
        _found(paths, own, part, close, may_turn=place < 2)
        for place, part in enumerate((call.queries, call.keys, call.values))
    )
    return queries, keys, values


def _found(
    paths: Mapping[Any, str],
    sources: Sequence[PartSource],
    vectors: Any,
    close: float,
    *,
    may_turn: bool,
) -> HeadRows | None:
    """The latest module that gives some vectors (heads x tokens x width)."""
    tokens = vectors.shape[1]
    linear = [one for one in sources if one.module.weight.ndim == 2]
    for turned in (False, True)[: 1 + may_turn]:
        for source in reversed(sources):
            numbers = located(source.gave, vectors, close, turned=turned)
            if numbers is None:
                continue
            path, heads_first = paths[source.module], _is_heads_first(source.gave, tokens)
            if source in linear:
                return HeadRows(path, numbers, heads_first, path, numbers, turned)
            # A norm: the matrix before it gives what it was given.
            entered = None if source.given is None else _by_token(source.given, tokens)
            if entered is not None:
                before = entered[:, numbers.to(entered.device)].transpose(0, 1).float()
                for one in reversed(linear):
                    rows = located(one.gave, before, close, turned=False)
                    if rows is not None:
                        own = paths[one.module]
                        return HeadRows(path, numbers, heads_first, own, rows, turned)
            return HeadRows(path, numbers, heads_first, turned=turned)
    return None


def _is_heads_first(gave: Any, tokens: int) -> bool:
    return bool(gave.dim() == 4 and gave.shape[1] != tokens == gave.shape[2])


def numbers_of(gave: Any, *, heads_first: bool) -> Any:
    """From what a module gave of one text to tokens x all numbers."""
    own = gave.transpose(1, 2) if heads_first else gave
    own = own[0] if own.dim() >= 3 else own
    return own.reshape(len(own), -1)


def _by_token(gave: Any, tokens: int) -> Any:
    """Likewise; None where it is not a row for each of so many tokens."""
    if gave.dim() < 2 or (gave.dim() >= 3 and gave.shape[0] != 1):
        return None
    own = numbers_of(gave, heads_first=_is_heads_first(gave, tokens))
    return own if len(own) == tokens else None


def located(gave: Any, vectors: Any, close: float, *, turned: bool) -> Any:
    """Which of the numbers that a module gave are the heads'; None where some are not there.

    Args:
        gave: For one text.
        vectors: heads x tokens x width.
        close: How far numbers may be off, by the size of the largest.
        turned: The vectors are rotated by their places: those of place 0 are not, and none is
            longer or shorter for it.
    """
    import torch

    heads, tokens, width = vectors.shape
    own = _by_token(gave, tokens)
    if own is None or own.shape[-1] < width:
        return None
    own = own.float()
    bound = close * max(1.0, float(vectors.abs().max()))
    step = gcd(width, STEP)
    windows = own.unfold(1, width, step)  # tokens x places x width
    drawn = torch.randn(width, generator=torch.Generator().manual_seed(0)).to(own.device)
    some = slice(0, 1) if turned else slice(None)
    known = windows[some] @ drawn  # tokens x places
    wanted = vectors[:, some] @ drawn  # heads x tokens
    found = []
    for head in range(heads):
        place = int((known - wanted[head][:, None]).abs().amax(0).argmin())
        if float((windows[some, place] - vectors[head, some]).abs().max()) > bound:
            return None
        if turned:
            lengths = windows[:, place].norm(dim=-1), vectors[head].norm(dim=-1)
            if float((lengths[0] - lengths[1]).abs().max()) > bound * width**0.5:
                return None
        found.append(torch.arange(width) + place * step)
    return torch.stack(found)
