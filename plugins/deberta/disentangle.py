"""Takes DeBERTa's attention apart, and switches its parts off.

He et al. 2021, sections 3.1 (disentangled attention) and 3.2 (enhanced mask decoder).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from explorer.api import (
    BidirectionalPredictor,
    Context,
    Discriminator,
    LoadedModel,
    PluginFault,
    Predictor,
    UserMistake,
)
from explorer.hf.cancelling import cancellable
from explorer.questions.attention.disentangled_attention.question import (
    ABSOLUTE,
    PARTS,
    TOLERANCE,
    Disentangle,
    DisentangleResult,
    DistanceBias,
    Off,
    Part,
)
from explorer.questions.attention.head_ablation.intervention import before_and_after
from explorer.questions.attention.head_ablation.question import Changes
from explorer.questions.masking.masked_tokens.question import FillMask
from explorer.text import N_
from explorer.text.numbers import significant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DisentangledScores:
    """Its scores as sums of parts, as a port (explorer.api.ports.ScoreParts)."""

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    def take_apart(self, request: Disentangle, context: Context) -> DisentangleResult:
        """As `take_apart`."""
        return take_apart(self._model, request, context)


def take_apart(model: LoadedModel, request: Disentangle, context: Context) -> DisentangleResult:
    """One head's parts, every head's shares, and the predictions without some parts.

    Raises:
        UserMistake: The text is empty, or the layer, head or step is not there.
        PluginFault: The parts do not add up to the model's own scores.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    if not request.text.strip():
        raise UserMistake(N_("There is no text yet."), N_("Type a sentence."))
    layer = _check(model, request)
    encoded = model.encode(request.text, request.pair, request.masks)
    states_of = states_of_head(model)
    from .observing import Observer, attention_of

    with torch.inference_mode(), cancellable(context):
        observer = Observer(model, layer, request.step)
        with observer.watching():
            states_of(**encoded.inputs)
        _must_add_up(observer.errors, model.stamp.dtype, observer.largest)
        after = None
        if request.off:
            with switched_off(model, request.off):
                chosen = (layer, request.step, request.head)
                after = attention_of(model, chosen, lambda: states_of(**encoded.inputs))
    parts = tuple(
        Part(name, _owned(observer.parts[name][request.head]), _owned(observer.shares(name)))
        for name in PARTS
        if name in observer.parts
    )
    return DisentangleResult(
        model=model.stamp,
        tokens=encoded.tokens,
        layer=layer,
        head=request.head,
        step=request.step,
        layers=int(model.config.num_hidden_layers),
        heads=int(model.config.num_attention_heads),
        steps=steps_of(model),
        parts=parts,
        scores=_owned(observer.scores[request.head]),
        attention=_owned(observer.attention[request.head]),
        sum_error=observer.error_of(request.head),
        largest_error=max(float(one.max()) for one in observer.errors.values()),
        distances=_owned(observer.distances.int()),
        buckets=_owned(observer.buckets.int()),
        biases=tuple(
            DistanceBias(name, _owned(mean), _owned(deviation))
            for name, (mean, deviation) in observer.biases.items()
        ),
        off=request.off,
        attention_after=None if after is None else _owned(after),
        changes=_changes(model, request, bool(encoded.mask_positions), context),
        left_out=encoded.left_out,
        note=note_of(model),
    )


def steps_of(model: LoadedModel) -> int:
    """Steps of the enhanced mask decoder; 0 where the model predicts without one."""
    from .modules import DECODER_STEPS

    return 0 if states_of_head(model) is model.encoder else DECODER_STEPS


def states_of_head(model: LoadedModel) -> Callable[..., Any]:
    """What predictions are read from: the mask decoder's states where there is one."""
    predictor = model.ports.get(BidirectionalPredictor)
    found: Callable[..., Any] = model.encoder if predictor is None else predictor.states_of
    return found


def note_of(model: LoadedModel) -> str:
    """What is special about this checkpoint's parts."""
    kinds = list(model.config.pos_att_type or ())
    if not getattr(model.config, "relative_attention", False):
        return "This checkpoint has no relative positions: there is content to content alone."
    notes = []
    there = [name for name in PARTS[1:] if name in kinds]
    if len(there) < 2:
        named = " and ".join(("c2c", *there))
        notes.append(f"This checkpoint was made with {named} alone (pos_att_type).")
    if "p2p" in kinds:
        notes.append(
            "Its pos_att_type names p2p too, for which transformers computes nothing: position to "
            "position is the same whatever the text says."
        )
    return " ".join(notes)


@contextmanager
def switched_off(model: LoadedModel, off: Sequence[Off]) -> Iterator[None]:
    """Take parts out of the scores, before the softmax, while the block runs."""
    from .parts import parts_of
    from .score_watch import Call, watched, without_absolute_positions

    heads = range(int(model.config.num_attention_heads))

    def take_out(call: Call, scores: Any) -> Any:
        gone = {
            name: [h for h in heads if any(one.holds(name, call.layer, h) for one in off)]
            for name in PARTS
        }
        if not any(gone.values()):
            return scores
        scores = scores.clone()
        for name, part in parts_of(call.attention, call.given).items():
            scores[0, gone[name]] -= part[gone[name]].to(scores.dtype)
        return scores

    with ExitStack() as stack:
        stack.enter_context(watched(model.module, take_out))
        if any(one.part == ABSOLUTE for one in off):
            stack.enter_context(without_absolute_positions(model.module))
        yield


def _changes(
    model: LoadedModel, request: Disentangle, masked: bool, context: Context
) -> Changes | None:
    """Predictions before and after, where this checkpoint can predict anything here."""
    if not (masked and Predictor in model.ports) and Discriminator not in model.ports:
        return None
    question = FillMask(request.text, request.pair, request.masks, request.top_k)
    intervene = (lambda: switched_off(model, request.off)) if request.off else None
    return before_and_after(model, question, intervene, context)


def _check(model: LoadedModel, request: Disentangle) -> int:
    """The layer that is meant.

    Raises:
        UserMistake: It is not there, or the head or step is not.
    """
    layers = int(model.config.num_hidden_layers)
    heads = int(model.config.num_attention_heads)
    steps = steps_of(model)
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


def _must_add_up(errors: dict[Any, Any], dtype: str, largest: float) -> None:
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
            where = f"step {step} of the mask decoder" if step else f"layer {layer}"
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
