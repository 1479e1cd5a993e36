"""The four matrices of one attention head, cut out of what a layer multiplies with."""

from dataclasses import dataclass
from functools import reduce
from typing import Any

from explorer.api.family import Unavailable
from explorer.hf.attention.layout import FusedOrder
from explorer.hf.attention.modules import AttentionModule
from explorer.text import N_


@dataclass(frozen=True)
class HeadWeights:
    """One head's; tensors on the CPU, float32, without the biases.

    Attributes:
        query: Shape [dimensions of a head, width that is read]: q = query @ x.
        key: Likewise; where heads share keys, that of its group.
        value: Likewise.
        output: Shape [dimensions of a head, width that is given]: the head adds v @ output.
    """

    query: Any
    key: Any
    value: Any
    output: Any


def head_weights(one: AttentionModule, head: int) -> HeadWeights:
    """The matrices of a head (Vaswani et al. 2017, section 3.2.2).

    Args:
        one: A layer's attention.
        head: Which head, from 0.

    Raises:
        Unavailable: The weights are rounded to a few bits, or not in memory.
    """
    names, width, heads = one.layout.projections, one.width, one.heads
    own = _rows(matrix_of(one.output).T, head, width)
    if one.rule is not None:
        found = [rows_of(one, place, head) for place in range(3)]
        return HeadWeights(*(each.float().cpu() for each in (*found, own)))
    given = [matrix_of(reduce(getattr, name.split("."), one.module)) for name in names]
    if len(given) == 3:
        parts = [_rows(each, head * (len(each) // width) // heads, width) for each in given]
    elif one.layout.fused is FusedOrder.BY_HEAD:
        parts = list(given[0].unflatten(0, (heads, 3, width))[head])
    else:
        parts = [_rows(each, head, width) for each in given[0].chunk(3, dim=0)]
    return HeadWeights(*(each.float().cpu() for each in (*parts, own)))


def rows_of(one: AttentionModule, place: int, head: int | None = None) -> Any:
    """The rows of a matrix that give queries (0), keys (1) or values (2): numbers x width read.

    Args:
        one: A layer's attention that was found in a run.
        place: Of what.
        head: Of which head; None for those of all, each once.

    Raises:
        Unavailable: No one matrix gives them, or it is not in memory.
    """
    part = one.parts[place]
    if part is None or not part.matrix:
        raise Unavailable(NO_ROWS)
    matrix = matrix_of(reduce(getattr, part.matrix.split("."), one.module))
    rows = part.rows.unique() if head is None else part.rows[head]
    return matrix[rows.to(matrix.device)]


def matrix_of(linear: Any) -> Any:
    """A linear module's weight, tensor (numbers that come out x numbers that go in).

    Raises:
        Unavailable: It is rounded to a few bits, or not in memory.
    """
    weight = linear.weight.detach()
    if weight.is_meta or not weight.is_floating_point():
        raise Unavailable(NOT_HERE)
    # transformers' Conv1D keeps its matrix the other way round.
    return weight.T if type(linear).__name__ == "Conv1D" else weight


NO_ROWS = N_(
    "No one matrix of this layer gives its heads' queries, keys and values, so that none can be "
    "drawn."
)
NOT_HERE = N_(
    "The weights of this model are rounded to a few bits or lie outside of memory, and can't be "
    "drawn: load it whole."
)


def _rows(matrix: Any, head: int, width: int) -> Any:
    return matrix[head * width : (head + 1) * width]
