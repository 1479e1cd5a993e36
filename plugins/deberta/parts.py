"""Content to content, content to position, position to content: one layer's scores by hand.

Written from the paper's formulas (He et al. 2021, section 3.1, equations 2 to 4; for buckets and
shared projections the second version's code), not from transformers' forward: that the parts sum
to the model's own scores is checked, not built in.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class LayerInput:
    """What an attention module is called with.

    Attributes:
        states: Of the layer below (1 x tokens x hidden): keys and values.
        query_states: The enhanced mask decoder's queries, or None for the same states.
        relative: Query's place minus key's, or its bucket (1 x tokens x tokens), or None.
        table: Embeddings of relative positions (rows x hidden), or None.
    """

    states: Tensor
    query_states: Tensor | None
    relative: Tensor | None
    table: Tensor | None


@dataclass(frozen=True)
class Projected:
    """Queries and keys of one layer.

    Attributes:
        queries: heads x tokens x width.
        keys: heads x tokens x width.
        position_keys: heads x rows x width; None without c2p.
        position_queries: heads x rows x width; None without p2c.
        scale: What every product is multiplied with.
        span: The row of distance 0.
    """

    queries: Tensor
    keys: Tensor
    position_keys: Tensor | None
    position_queries: Tensor | None
    scale: float
    span: int


def projected(attention: Any, given: LayerInput, *, whole_table: bool = False) -> Projected:
    """Queries and keys of tokens and of relative positions, float32.

    Args:
        attention: DisentangledSelfAttention, of v1 or of v2.
        given: Its input.
        whole_table: Of v1's table, the rows of distances that the text is too short for, too.
    """
    heads = attention.num_attention_heads
    kinds = attention.pos_att_type
    v1 = hasattr(attention, "in_proj")
    states = given.states[0]
    asking = states if given.query_states is None else given.query_states[0]
    if v1:
        # Each head's rows are its query's, its key's and its value's, one after the other.
        weight = attention.in_proj.weight.view(heads, 3, -1, states.shape[-1])
        query_weight, key_weight = weight[:, 0].flatten(0, 1), weight[:, 1].flatten(0, 1)
        queries = nn.functional.linear(asking, query_weight) + attention.q_bias
        keys = nn.functional.linear(states, key_weight)
        parts = 1 + len(kinds)
    else:
        queries, keys = attention.query_proj(asking), attention.key_proj(states)
        parts = 1 + ("c2p" in kinds) + ("p2c" in kinds)
    width = queries.shape[-1] // heads

    def apart(flat: Tensor) -> Tensor:
        return flat.float().view(*flat.shape[:-1], heads, width).transpose(0, 1)

    position_keys = position_queries = None
    span = 0
    if attention.relative_attention and given.table is not None and given.relative is not None:
        tokens = attention.max_relative_positions if whole_table else len(states)
        table, span = _rows(attention, given.table, tokens, v1)
        make_keys, make_queries = _projections(attention, v1)
        if "c2p" in kinds:
            position_keys = apart(make_keys(table))
        if "p2c" in kinds:
            position_queries = apart(make_queries(table))
    return Projected(
        apart(queries), apart(keys), position_keys, position_queries, (width * parts) ** -0.5, span
    )


def _rows(attention: Any, table: Tensor, tokens: int, v1: bool) -> tuple[Tensor, int]:
    """The rows of the table that can be used, and which of them is distance 0."""
    if not v1:
        span = int(attention.pos_ebd_size)
        return table[: 2 * span], span
    longest = int(attention.max_relative_positions)
    span = min(tokens, longest)
    return table[longest - span : longest + span], span


def _projections(attention: Any, v1: bool) -> tuple[Any, Any]:
    if v1:
        return getattr(attention, "pos_proj", None), getattr(attention, "pos_q_proj", None)
    if attention.share_att_key:
        return attention.key_proj, attention.query_proj
    return getattr(attention, "pos_key_proj", None), getattr(attention, "pos_query_proj", None)


def parts_of(attention: Any, given: LayerInput, made: Projected | None = None) -> dict[str, Tensor]:
    """The parts of all heads' scores: name to heads x queries x keys, float32.

    The score from token i to token j is the sum of q_i . k_j, of q_i with the key of the relative
    position of i to j, and of k_j with the query of the relative position of j to i, all divided
    by the square root of the width times the number of parts.
    """
    made = made or projected(attention, given)
    parts = {"c2c": made.queries @ made.keys.transpose(-1, -2) * made.scale}
    if given.relative is not None:
        relative = given.relative.reshape(given.relative.shape[-2:]).long()
        last = 2 * made.span - 1
        if made.position_keys is not None:
            products = made.queries @ made.position_keys.transpose(-1, -2) * made.scale
            rows = (relative + made.span).clamp(0, last)
            parts["c2p"] = products.gather(-1, rows.expand(len(products), -1, -1))
        if made.position_queries is not None:
            products = made.keys @ made.position_queries.transpose(-1, -2) * made.scale
            # A row a key here: relative is the key's place minus the query's, and turned again.
            rows = (made.span - relative).clamp(0, last)
            gathered = products.gather(-1, rows.expand(len(products), -1, -1))
            parts["p2c"] = gathered.transpose(-1, -2)
    mix = getattr(attention, "head_logits_proj", None)
    if mix is not None:  # talking heads: every head's score is a mixture of all heads'
        weight = mix.weight.float()
        parts = {
            name: torch.einsum("oh,hqk->oqk", weight, scores) for name, scores in parts.items()
        }
    return parts


def bucketed(distances: Tensor, buckets: int, longest: int) -> Tensor:
    """Distances as buckets: exact up to half of the buckets, then by their logarithm.

    As the authors' code has it for the second version: with m half of the buckets, a distance d
    beyond m is m + ceil(log(d / m) / log((longest - 1) / m) * (m - 1)). No buckets (-1) leave the
    distances as they are.

    Args:
        distances: int64.
        buckets: How many, on both sides together.
        longest: Distance that the last one stands for.
    """
    if buckets <= 0:
        return distances
    half = buckets // 2
    size = distances.abs()
    far = torch.log(size.clamp(min=half) / half) / torch.log(torch.tensor((longest - 1) / half))
    far = torch.ceil(far * (half - 1)) + half
    return torch.where(size <= half, distances, (far * distances.sign()).long())


def longest_distance(attention: Any) -> int:
    """The largest distance that a table of relative positions tells apart."""
    return int(attention.max_relative_positions) - 1


def bias_by_distance(
    attention: Any, given: LayerInput
) -> tuple[Tensor, Tensor, dict[str, tuple[Tensor, Tensor]]]:
    """What positions add at every distance, with each token of the text as the content.

    Returns:
        The distances (a key's place minus a query's), their buckets, and for each part that knows
        positions the mean and the standard deviation over the tokens (heads x distances, float32).
        Empty where there are no relative positions.
    """
    none = torch.zeros(0, dtype=torch.long)
    if not attention.relative_attention or given.table is None:
        return none, none, {}
    longest = longest_distance(attention)
    distances = torch.arange(-longest, longest + 1)
    v1 = hasattr(attention, "in_proj")
    buckets = -1 if v1 else int(attention.position_buckets)
    signed = bucketed(distances, buckets, longest + 1)
    made = projected(attention, given, whole_table=True)
    rows = (made.span - signed).clamp(0, 2 * made.span - 1).to(made.queries.device)
    found: dict[str, tuple[Tensor, Tensor]] = {}
    for name, content, positions in (
        ("c2p", made.queries, made.position_keys),
        ("p2c", made.keys, made.position_queries),
    ):
        if positions is not None:
            scores = content @ positions.transpose(-1, -2) * made.scale
            mix = getattr(attention, "head_logits_proj", None)
            if mix is not None:
                scores = torch.einsum("oh,hqk->oqk", mix.weight.float(), scores)
            deviation = scores.std(dim=1, correction=0)
            found[name] = (scores.mean(dim=1)[:, rows], deviation[:, rows])
    return distances, signed, found
