"""How models of one stack are run for patching: all of the text, or what stands before a place."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Discriminator,
    LoadedModel,
    LogitParts,
    Query,
    StepwisePass,
    Unavailable,
)
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.ports import DescribedAttention
from explorer.hf.predict.causal import CausalPredictor, check_seen
from explorer.hf.predict.heads.objectives import EncoderHead
from explorer.hf.predict.masked import MaskedPredictor, with_pieces
from explorer.hf.predict.rows import log_rows
from explorer.hf.states.pass_record import HookedPass
from explorer.hf.states.patching import HookedPatching, PreparedRun
from explorer.hf.states.streams import StreamStack
from explorer.hf.states.taps import find_taps
from explorer.hf.states.written.port import HookedLogitParts


def patch_ports(
    model: LoadedModel,
    stacks: Sequence[StreamStack],
    prepare: Callable[[Query], PreparedRun],
    passes: int = 0,
) -> dict[type, Any]:
    """The ports that put states back, weigh them and record a pass; none, and why, elsewhere.

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
        lost = (ActivationPatching, LogitParts, StepwisePass)
        why: dict[type, str] = dict.fromkeys(lost, error.message)
        model.refused = {**model.refused, **why}
        return {}
    patching = HookedPatching(model, tapped, prepare)
    ports: dict[type, Any] = {ActivationPatching: patching}
    if attentions:
        ports[StepwisePass] = HookedPass(model, tapped, attentions, prepare)
    try:
        ports[LogitParts] = HookedLogitParts(model, patching)
    except Unavailable as error:
        model.refused = {**model.refused, LogitParts: error.message}
    return ports


def headless_pass(model: LoadedModel, stacks: Sequence[StreamStack]) -> dict[type, Any]:
    """The port that records a pass of a model that predicts no tokens; none where it can't be.

    Args:
        model: Whose; a discriminator's verdict is what its pass leads to.
        stacks: Its streams.
    """
    found: DescribedAttention | None = model.ports.get(AttentionModules)
    attentions = found.modules() if found else ()
    kinds = {one.kind for one in attentions}
    own = [one for one in stacks if one.kind is None or one.kind in kinds]
    if found is None or not own:
        return {}
    try:
        tapped = find_taps(model.module, own, attentions, found.layout.shared)
    except Unavailable as error:
        model.refused = {**model.refused, StepwisePass: error.message}
        return {}
    return {StepwisePass: HookedPass(model, tapped, attentions, lambda query: _read(model, query))}


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

    def states(batch: dict[str, Any]) -> Any:
        return predictor.states_of(**batch)[:, place]

    return PreparedRun(
        inputs,
        dict.fromkeys(map(str, AttentionKind), query.encoded.tokens),
        lambda batch: log_rows(model, predictor.head, states(batch)),
        states,
        predictor.head,
        place,
    )


def _read(model: LoadedModel, query: Query) -> PreparedRun:
    """The whole text, read by a model that judges each token, or only gives their states."""
    (place,) = query.asked
    judge = model.ports.get(Discriminator)
    head = judge.head if isinstance(judge, EncoderHead) else None

    def states(batch: dict[str, Any]) -> Any:
        return model.encoder(**batch)

    def verdict(found: Any) -> Any:
        assert head is not None
        return head(found)[:, [place]]

    return PreparedRun(
        with_pieces([query], None),
        dict.fromkeys(map(str, AttentionKind), query.encoded.tokens),
        states,
        states,
        None if head is None else verdict,
        place,
    )


def _before(model: LoadedModel, predictor: CausalPredictor, query: Query) -> PreparedRun:
    check_seen(query, predictor.who)
    (place,) = query.asked
    inputs = with_pieces([query], None, place)

    def states(batch: dict[str, Any]) -> Any:
        return model.encoder(**batch)[:, -1]

    return PreparedRun(
        inputs,
        dict.fromkeys(map(str, AttentionKind), query.encoded.tokens[:place]),
        lambda batch: log_rows(model, predictor.head, states(batch)),
        states,
        predictor.head,
        place - 1,
    )
