"""How one token attends in one call of an attention, from what its projections gave."""

from typing import Any

from explorer.api.family import Token
from explorer.api.ports.passes import PassAttention
from explorer.hf.attention.modules import AttentionModule
from explorer.hf.attention.queries_keys import QueriesKeys


def attention_of(
    one: AttentionModule,
    made: QueriesKeys,
    row: str,
    place: int,
    head: int,
    tokens: tuple[Token, ...],
) -> PassAttention:
    """Scores, weights and what is taken with them, at one token's place.

    softmax(scale * query . key + positions) times the values (Vaswani et al. 2017, section 3.2.1).

    Args:
        one: The attention.
        made: Its queries, keys and values.
        row: Of the steps.
        place: The token's.
        head: Whose keys and values are kept; the last one where there are fewer.
        tokens: That can be looked at.
    """
    queries = made.queries[:, place]
    products = (made.keys @ queries.unsqueeze(-1)).squeeze(-1)
    scores = made.scores()[:, place]
    weights = made.shares()[:, place]
    parts = weights.unsqueeze(-1) * made.values
    positions = None
    if made.bias is not None:
        positions = made.bias[:, place].expand(len(queries), -1)
    chosen = min(head, one.heads - 1)
    before: dict[str, Any] = {}
    if made.unturned is not None:
        own, others = made.unturned
        before = {
            "queries_before": array_of(own[:, place]),
            "keys_before": array_of(others[chosen]),
        }
    return PassAttention(
        row=row,
        kind=one.kind.value,
        layer=made.layer,
        head=chosen,
        tokens=tokens,
        queries=array_of(queries),
        products=array_of(products),
        scale=float(made.scale),
        positions=None if positions is None else array_of(positions),
        hidden=scores.isneginf()[0].cpu().numpy().copy(),
        weights=array_of(weights),
        results=array_of(parts.sum(1)),
        keys=array_of(made.keys[chosen]),
        values=array_of(made.values[chosen]),
        added=_added(one, parts.sum(1)),
        sources=_lengths(one, parts.transpose(0, 1).flatten(1)),
        turned=made.unturned is not None,
        cap=made.cap,
        sink=None if made.sink is None else array_of(made.sink[:, place, 0]),
        **before,
    )


def _added(one: AttentionModule, results: Any) -> Any:
    """How long each head's own part of the output is."""
    import torch

    own = torch.zeros(len(results), results.numel(), device=results.device)
    for number, result in enumerate(results):
        own[number, number * len(result) : (number + 1) * len(result)] = result
    return _lengths(one, own)


def _lengths(one: AttentionModule, given: Any) -> Any:
    """How long vectors are behind the output matrix, without its bias."""
    import torch

    # Not called as a module, which would be heard.
    dtype = getattr(one.output.weight, "dtype", torch.float32)
    given = given.to(dtype) if dtype.is_floating_point else given
    nothing = torch.zeros_like(given[:1])
    both = one.output.forward(torch.cat((given, nothing)).unsqueeze(0))[0].float()
    return array_of((both[:-1] - both[-1:]).norm(dim=-1))


def array_of(tensor: Any) -> Any:
    """A read-only copy in the machine's memory."""
    array = tensor.detach().float().cpu().contiguous().numpy().copy()
    array.setflags(write=False)
    return array
