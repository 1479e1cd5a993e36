"""Attention as it is computed: the products, the softmax and the weighted sum of a running model.

Whatever a class calls its parts, a head multiplies queries with keys, makes shares of the products,
and adds values up by them. These three calls of torch are seen here while a model runs, so that
queries and keys are had as they are multiplied: behind norms, rotations and scales, and from
whichever matrix they came.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

FAR_BELOW = 5000.0
"""A score that is so far below the largest of its row is a mask's: transformers adds the smallest
number of a type, or minus 10,000."""
ALIKE = 1e-4
"""How far the shares that mix values may be from those that the softmax gave."""


@dataclass(eq=False)
class AttendingCall:
    """One attention, as it was computed; all tensors of one text, float32.

    Attributes:
        owner: What was running.
        queries: heads x query tokens x width.
        keys: heads x key tokens x width; where heads share keys each has a copy.
        values: heads x key tokens x width of a value; likewise.
        scores: What the softmax was given: heads x query tokens x key tokens, and perhaps one more.
        weights: What it gave, likewise.
        results: heads x query tokens x width of a value.
    """

    owner: Any
    queries: Any
    keys: Any
    scores: Any
    weights: Any
    values: Any = None
    results: Any = None

    @property
    def products(self) -> Any:
        """Of queries and keys: heads x query tokens x key tokens."""
        return self.queries @ self.keys.transpose(-1, -2)

    @property
    def own_scores(self) -> Any:
        """Those of tokens: without what stands beside them."""
        return self.scores[..., : self.keys.shape[-2]]

    @property
    def seen(self) -> Any:
        """Which tokens may be looked at, as the mask of the run has it: heads x queries x keys."""
        own = self.own_scores
        return own > own.amax(-1, keepdim=True) - FAR_BELOW

    @property
    def has_sink(self) -> bool:
        """Whether the softmax had one place more than there are tokens."""
        return int(self.scores.shape[-1]) == int(self.keys.shape[-2]) + 1


@contextmanager
def watching(owner: Callable[[], Any]) -> Iterator[list[AttendingCall]]:
    """Collect attentions while the block runs, each as soon as its values are added up.

    Args:
        owner: What is running now; None where nothing is that is of interest.
    """
    import torch
    from torch.overrides import TorchFunctionMode

    tensor = torch.Tensor
    multiplies = {torch.matmul, tensor.matmul, tensor.__matmul__, torch.bmm, tensor.bmm}
    softmaxes = {torch.softmax, torch.nn.functional.softmax, tensor.softmax}
    done: list[AttendingCall] = []
    products: list[tuple[Any, Any, Any]] = []
    opened: list[AttendingCall] = []

    class Watch(TorchFunctionMode):
        def __torch_function__(
            self,
            function: Any,
            _types: Any,
            args: Any = (),
            kwargs: Mapping[str, Any] | None = None,
        ) -> Any:
            running = None
            if function in softmaxes or function in multiplies:
                running = owner()
            if running is None:
                return function(*args, **(kwargs or {}))
            if function in softmaxes:
                scores = args[0] if args else (kwargs or {})["input"]
                # Some scores are changed in their place once they are shares.
                scores = scores.detach().clone()
                weights = function(*args, **(kwargs or {}))
                opened.clear()
                call = _call_of(running, products, scores, weights.detach())
                if call is not None:
                    opened.append(call)
                products.clear()
                return weights
            result = function(*args, **(kwargs or {}))
            if len(args) < 2:
                return result
            if opened and opened[-1].owner is running and _mixes(opened[-1], *args[:2]):
                call = opened.pop()
                call.values = _by_head(args[0].detach(), args[1].detach())[1]
                call.results = (
                    result.detach()
                    .float()
                    .reshape(*call.values.shape[:1], -1, call.values.shape[-1])
                )
                done.append(call)
            elif min(args[0].dim(), args[1].dim()) >= 3:
                products[:] = [*products[-2:], (running, args[0].detach(), args[1].detach())]
            return result

    with Watch():
        yield done


def _call_of(
    running: Any, products: list[tuple[Any, Any, Any]], scores: Any, weights: Any
) -> AttendingCall | None:
    """The softmax of products of queries and keys; None for any other softmax."""
    if scores.dim() < 3 or scores.shape != weights.shape:
        return None
    for owner, queries, keys in reversed(products):
        beside = scores.shape[-1] - keys.shape[-1]
        if owner is not running or queries.shape[-2] != scores.shape[-2] or beside not in (0, 1):
            continue
        first, second = _by_head(queries, keys.transpose(-1, -2))
        if len(first) * scores.shape[-2] * scores.shape[-1] == scores.numel():
            own = (one.float().reshape(len(first), *one.shape[-2:]) for one in (scores, weights))
            return AttendingCall(running, first, second, *own)
    return None


def _mixes(call: AttendingCall, shares: Any, values: Any) -> bool:
    """Whether values are added up by the shares of an attention."""
    import torch

    own = call.weights[..., : call.keys.shape[-2]]
    if min(shares.dim(), values.dim()) < 3 or shares.shape[-2:] != own.shape[-2:]:
        return False
    given, added = _by_head(shares.detach(), values.detach())
    if len(given) != len(own) or added.shape[-2] != own.shape[-1]:
        return False
    close = max(ALIKE, 4 * torch.finfo(shares.dtype).eps)
    return bool((given - own).abs().max() <= close)


def _by_head(first: Any, second: Any) -> tuple[Any, Any]:
    """Two that are multiplied, each heads x rows x width, float32: what heads share is repeated."""
    import torch

    # torch's own functions for this have no types.
    spread = torch.Size((first[..., :1, :1] + second[..., :1, :1]).shape[:-2])
    expanded = (one.float().expand(*spread, *one.shape[-2:]) for one in (first, second))
    one, other = (each.reshape(-1, *each.shape[-2:]) for each in expanded)
    return one, other
