"""How models of one stack are run for patching: all of the text, or what stands before a place."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    LoadedModel,
    Query,
    Unavailable,
)
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.ports import DescribedAttention
from explorer.hf.predict.causal import CausalPredictor, check_seen
from explorer.hf.predict.masked import MaskedPredictor, with_pieces
from explorer.hf.predict.rows import log_rows
from explorer.hf.states.patching import HookedPatching, PreparedRun
from explorer.hf.states.streams import StreamStack
from explorer.hf.states.taps import find_taps


def patch_ports(
    model: LoadedModel,
    stacks: Sequence[StreamStack],
    prepare: Callable[[Query], PreparedRun],
    passes: int = 0,
) -> dict[type, Any]:
    """The port that puts states back; none, and why, where they are not as the family says.

    Args:
        model: Whose states.
        stacks: Its streams.
        prepare: How it is run.
        passes: How often a decoder applies the last layer again.
    """
    found: DescribedAttention | None = model.ports.get(AttentionModules)
    attentions, shared = (found.modules(), found.layout.shared) if found else ((), None)
    try:
        tapped = find_taps(model.module, stacks, attentions, shared, passes)
    except Unavailable as error:
        model.refused = {**model.refused, ActivationPatching: error.message}
        return {}
    return {ActivationPatching: HookedPatching(model, tapped, prepare)}


def one_stack(
    model: LoadedModel, predictor: MaskedPredictor | CausalPredictor
) -> Callable[[Query], PreparedRun]:
    """The runs of a model that predicts at the places of its only stack."""
    if isinstance(predictor, CausalPredictor):
        return lambda query: _before(model, predictor, query)
    return lambda query: _whole(model, predictor, query)


def _whole(model: LoadedModel, predictor: MaskedPredictor, query: Query) -> PreparedRun:
    (place,) = query.asked
    hidden = any(piece is None for piece in query.pieces.values())
    inputs = with_pieces([query], predictor.mask_id if hidden else None)

    def read(batch: dict[str, Any]) -> Any:
        return log_rows(model, predictor.head, predictor.states_of(**batch)[:, place])

    return PreparedRun(inputs, dict.fromkeys(map(str, AttentionKind), query.encoded.tokens), read)


def _before(model: LoadedModel, predictor: CausalPredictor, query: Query) -> PreparedRun:
    check_seen(query, predictor.who)
    (place,) = query.asked
    inputs = with_pieces([query], None, place)

    def read(batch: dict[str, Any]) -> Any:
        return log_rows(model, predictor.head, model.encoder(**batch)[:, -1])

    return PreparedRun(
        inputs, dict.fromkeys(map(str, AttentionKind), query.encoded.tokens[:place]), read
    )
