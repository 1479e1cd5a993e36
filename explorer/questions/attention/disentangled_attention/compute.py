"""DeBERTa's attention taken apart, and its parts switched off: the answer to that question.

He et al. 2021, sections 3.1 (disentangled attention) and 3.2 (enhanced mask decoder).
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from explorer.api.question import (
    AttentionDecomposition,
    Context,
    Discriminator,
    LoadedModel,
    PluginFault,
    Predictor,
    UserMistake,
    check_text,
)
from explorer.api.question.parts.predictions.changes import PredictionChanges
from explorer.questions.attention.before_and_after import before_and_after
from explorer.questions.attention.disentangled_attention.question import (
    ABSOLUTE,
    PARTS,
    TOLERANCE,
    DisentangledAttentionRequest,
    DisentangledAttentionResult,
    DistanceBias,
    Off,
    ScorePart,
)
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray


def run(
    model: LoadedModel, request: DisentangledAttentionRequest, context: Context
) -> DisentangledAttentionResult:
    """One head's parts, every head's shares, and the predictions without some parts.

    Raises:
        Unavailable: The model's attention does not keep content and position apart.
        UserMistake: The text is empty, or the layer, head or step is not there.
        PluginFault: The parts do not add up to the model's own scores.
        Cancelled: The run was cancelled; checked before every layer.
    """
    port = model.port(AttentionDecomposition)
    check_text(request.text)
    layer = _check(port, request)
    encoded = model.encode(request.text, request.pair, request.masks)
    found = port.take_apart(encoded, layer, request.step, context)
    _must_add_up(found.errors, model.stamp.dtype, found.largest)
    after = None
    if request.off:
        with _without(port, request.off):
            after = port.attention(encoded, layer, request.step, context)[request.head]
    return DisentangledAttentionResult(
        model=model.stamp,
        tokens=encoded.tokens,
        layer=layer,
        head=request.head,
        step=request.step,
        layers=port.layers,
        heads=port.heads,
        steps=port.steps,
        parts=tuple(
            ScorePart(name, _owned(found.parts[name][request.head]), _owned(found.shares[name]))
            for name in PARTS
            if name in found.parts
        ),
        scores=_owned(found.scores[request.head]),
        attention=_owned(found.attention[request.head]),
        sum_error=float(found.errors[layer, request.step][request.head]),
        largest_error=max(float(one.max()) for one in found.errors.values()),
        distances=_owned(found.distances.int()),
        buckets=_owned(found.buckets.int()),
        biases=tuple(
            DistanceBias(name, _owned(mean), _owned(deviation))
            for name, (mean, deviation) in found.biases.items()
        ),
        off=request.off,
        attention_after=None if after is None else _owned(after),
        changes=_changes(model, port, request, bool(encoded.mask_positions), context),
        left_out=encoded.left_out,
        note=port.note,
    )


def _without(port: AttentionDecomposition, off: Collection[Off]) -> "AbstractContextManager[None]":
    """Take what is off out of the model while a block runs."""
    gone: dict[tuple[str, int], list[int]] = {}
    for name in PARTS:
        for layer in range(port.layers):
            heads = [
                head
                for head in range(port.heads)
                if any(one.holds(name, layer, head) for one in off)
            ]
            if heads:
                gone[name, layer] = heads
    return port.without(gone, absolute=any(one.part == ABSOLUTE for one in off))


def _changes(
    model: LoadedModel,
    port: AttentionDecomposition,
    request: DisentangledAttentionRequest,
    masked: bool,
    context: Context,
) -> PredictionChanges | None:
    """Predictions before and after, where this checkpoint can predict anything here."""
    if not (masked and Predictor in model.ports) and Discriminator not in model.ports:
        return None
    question = MaskedTokensRequest(
        request.text, request.pair, request.masks, request.top_k, entities=request.entities
    )
    intervene = (lambda: _without(port, request.off)) if request.off else None
    return before_and_after(model, question, intervene, context)


def _check(port: AttentionDecomposition, request: DisentangledAttentionRequest) -> int:
    """The layer that is meant.

    Raises:
        UserMistake: It is not there, or the head or step is not.
    """
    layers, heads, steps = port.layers, port.heads, port.steps
    if request.step > steps:
        raise UserMistake(
            N_("This model's mask decoder has no step {step}: it has {steps}.")
            if steps
            else N_("This model predicts without an enhanced mask decoder."),
            N_("Choose a layer of the encoder."),
            step=request.step,
            steps=steps,
        )
    layer = layers - 1 if request.step else request.layer
    if not (0 <= layer < layers and 0 <= request.head < heads and request.step >= 0):
        raise UserMistake(
            N_(
                "There is no head {head} in layer {layer}: this model has {layers} layers of "
                "{heads} heads, counted from 0."
            ),
            N_("Choose one that is there."),
            head=request.head,
            layer=request.layer,
            layers=layers,
            heads=heads,
        )
    for one in request.off:
        if (one.layer or 0) >= layers or (one.head or 0) >= heads:
            raise UserMistake(
                N_("There is no {part} to switch off in layer {layer}, head {head}."),
                N_("This model has {layers} layers of {heads} heads, counted from 0."),
                part=one.part,
                layer=one.layer,
                head=one.head,
                layers=layers,
                heads=heads,
            )
    return layer


def _must_add_up(errors: Mapping[tuple[int, int], Any], dtype: str, largest: float) -> None:
    """Fail loudly where the parts are not the model's scores.

    Raises:
        PluginFault: They are not.
    """
    import torch

    limit = TOLERANCE
    if dtype != "float32":  # shorter numbers are rounded on the way through the model
        limit = max(limit, 16 * torch.finfo(getattr(torch, dtype)).eps * max(1.0, largest))
    for (layer, step), error in errors.items():
        worst = float(error.max())
        if not worst <= limit:  # NaN is no sum either
            head = int(error.argmax())
            in_decoder = Phrase(N_("step {step} of the mask decoder"), step=str(step))
            where = in_decoder if step else Phrase(N_("layer {layer}"), layer=str(layer))
            raise PluginFault(
                N_(
                    "The parts of head {head} in {where} do not add up to the model's own "
                    "scores: they are off by {worst}."
                ),
                N_("Please report it with the versions of torch and transformers."),
                head=head,
                where=where,
                worst=significant(worst, 2),
            )


def _owned(tensor: Any) -> "NDArray[Any]":
    """A read-only copy in the machine's memory."""
    array: NDArray[np.generic] = tensor.detach().cpu().contiguous().numpy().copy()
    array.setflags(write=False)
    return array
