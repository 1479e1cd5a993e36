"""How much a layer's states change where one token's value is zero (Mohebbi et al. 2023)."""

from typing import Any

from explorer.api.family import ActivationPatching, Component, Unavailable
from explorer.attribution.attending import attending
from explorer.attribution.looking import one_stack, row_of
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.states.patching import Calls
from explorer.hf.states.taps import Tap
from explorer.text import N_

NO_STATES = N_("Of this model it is not known where its layers' states are.")


def changes(asked: ScoresAsked) -> list[Any]:
    """What each layer's states lose without each token's value, a matrix a layer.

    Mohebbi et al. (2023), "Quantifying Context Mixing in Transformers", section 3: the cosine
    distance between a token's state behind a layer, and its state where another token's value
    vectors, of all heads, are zero in that layer alone; rows sum up to 1. A value that is zero is
    a column of attention that is.

    Returns:
        For every layer a tensor (tokens x tokens), float64 on the CPU; of the last one that row
        alone is right that predicts, for a model may leave out the others.

    Raises:
        Unavailable: The model has two stacks, or its layers' states can't be had.
        Cancelled: The run was cancelled; checked before every layer.
    """
    found: list[Any] = asked.explained.once("values zeroed", lambda: _changes(asked))
    return found


def _changes(asked: ScoresAsked) -> list[Any]:
    import torch

    explained, length = asked.explained, len(asked.own)
    taps = _layers(explained)
    with torch.no_grad(), attending(explained.model) as layers:
        explained.read(asked.own[None])
    numbers = {id(one): number for number, one in enumerate(layers)}
    chain = [numbers[id(one)] for one in one_stack(explained, layers)]
    if len(chain) != len(taps):
        raise Unavailable(NO_STATES)
    zeroed = [(layer, token) for layer in range(len(chain)) for token in range(length)]
    found = torch.zeros(len(chain), length, length, dtype=torch.float64)
    size = max(1, explained.at_once(length) - 1)
    for start in range(0, len(zeroed), size):
        some = zeroed[start : start + size]
        for (layer, token), row in zip(some, _moved(asked, taps, chain, some), strict=True):
            found[layer, :, token] = row
    return list(found / found.sum(-1, keepdim=True).clamp(min=1e-12))


def _moved(
    asked: ScoresAsked, taps: list[Tap], chain: list[int], zeroed: list[tuple[int, int]]
) -> list[Any]:
    """How far the states of a layer are from what they are without a token's values there.

    Args:
        asked: The text.
        taps: Where each layer's states are.
        chain: The number of each layer's attention in the order of a pass.
        zeroed: Layers and tokens, one a copy of the text.
    """
    import torch

    states: dict[Tap, Any] = {}
    layer_of = {number: layer for layer, number in enumerate(chain)}

    def change(which: int, weights: Any) -> Any:
        copies = [n for n, (layer, _token) in enumerate(zeroed) if layer == layer_of.get(which)]
        if copies:
            weights = weights.clone()
        for copy in copies:
            weights[copy, :, :, zeroed[copy][1]] = 0
        return weights

    def keep(tap: Tap, given: Any) -> None:
        states[tap] = given.detach().cpu().double()

    copies = len(zeroed) + 1  # the last one as it is
    vectors = asked.own.expand(copies, *asked.own.shape)
    with torch.no_grad(), attending(asked.model, change), Calls(set(taps)).hooked(keep):
        asked.explained.read(vectors)
    row, found = row_of(asked.explained), []
    for copy, (layer, _token) in enumerate(zeroed):
        # Behind the last layer there may be those states alone that are read, all copies' together.
        by_copy = states[taps[layer]].reshape(copies, -1, states[taps[layer]].shape[-1])
        far = 1 - torch.cosine_similarity(by_copy[copy], by_copy[-1], dim=-1)
        if len(far) != len(asked.own):
            far = torch.zeros(len(asked.own), dtype=far.dtype).index_fill(
                0, torch.tensor([row]), float(far[0])
            )
        found.append(far)
    return found


def _layers(explained: Any) -> list[Tap]:
    """Where the states behind each layer are."""
    patching = explained.model.port(ActivationPatching)
    tapped = getattr(patching, "tapped", None)
    stacks = [] if tapped is None else tapped.stacks
    for stack in stacks:
        if stack.component is Component.RESIDUAL:
            return [row.taps[-1] for row in stack.rows[1:]]
    raise Unavailable(NO_STATES)
