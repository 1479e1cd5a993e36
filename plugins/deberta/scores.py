"""DeBERTa's attention scores as sums of parts, as a port (explorer.api.AttentionDecomposition).

He et al. 2021, sections 3.1 (disentangled attention) and 3.2 (enhanced mask decoder).
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from explorer.api.family import (
    BidirectionalPredictor,
    Context,
    DecomposedAttention,
    Encoded,
    LoadedModel,
)
from explorer.hf import cancellable
from explorer.text import N_, Phrase, all_of

PARTS = ("c2c", "c2p", "p2c")
"""Content to content, content to position, position to content."""


class DisentangledScores:
    """Watches the softmax of a loaded model; what its heads predict from is read as well."""

    def __init__(self, model: LoadedModel) -> None:
        self._model = model
        self.layers = int(model.config.num_hidden_layers)
        self.heads = int(model.config.num_attention_heads)
        self.note = note_of(model)

    @property
    def steps(self) -> int:
        """Steps of the enhanced mask decoder; 0 where the model predicts without one."""
        from .modules import DECODER_STEPS

        return 0 if self._states_of is self._model.encoder else DECODER_STEPS

    def take_apart(
        self, encoded: Encoded, layer: int, step: int, context: Context
    ) -> DecomposedAttention:
        """As `AttentionDecomposition.take_apart`."""
        import torch

        from .observing import Observer

        observer = Observer(self._model, layer, step)
        with torch.inference_mode(), cancellable(context), observer.watching():
            self._states_of(**encoded.inputs)
        return DecomposedAttention(
            parts=observer.parts,
            shares={name: observer.shares(name) for name in observer.parts},
            scores=observer.scores,
            attention=observer.attention,
            errors=observer.errors,
            largest=observer.largest,
            distances=observer.distances,
            buckets=observer.buckets,
            biases=observer.biases,
        )

    def attention(self, encoded: Encoded, layer: int, step: int, context: Context) -> Any:
        """As `AttentionDecomposition.attention`."""
        import torch

        from .observing import attention_of

        with torch.inference_mode(), cancellable(context):
            return attention_of(
                self._model, (layer, step), lambda: self._states_of(**encoded.inputs)
            )

    @contextmanager
    def without(
        self, gone: Mapping[tuple[str, int], Collection[int]], *, absolute: bool
    ) -> Iterator[None]:
        """As `AttentionDecomposition.without`."""
        from .parts import parts_of
        from .score_watch import AttentionCall, watched, without_absolute_positions

        def take_out(call: AttentionCall, scores: Any) -> Any:
            heads = {name: list(gone.get((name, call.layer), ())) for name in PARTS}
            if not any(heads.values()):
                return scores
            scores = scores.clone()
            for name, part in parts_of(call.attention, call.given).items():
                scores[0, heads[name]] -= part[heads[name]].to(scores.dtype)
            return scores

        with ExitStack() as stack:
            stack.enter_context(watched(self._model.module, take_out))
            if absolute:
                stack.enter_context(without_absolute_positions(self._model.module))
            yield

    @property
    def _states_of(self) -> Callable[..., Any]:
        """What predictions are read from: the mask decoder's states where there is one."""
        predictor = self._model.ports.get(BidirectionalPredictor)
        found: Callable[..., Any] = (
            self._model.encoder if predictor is None else predictor.states_of
        )
        return found


def note_of(model: LoadedModel) -> str:
    """What is special about this checkpoint's parts."""
    kinds = list(model.config.pos_att_type or ())
    if not getattr(model.config, "relative_attention", False):
        return Phrase(
            N_("This checkpoint has no relative positions: there is content to content alone.")
        )
    notes = []
    there = [name for name in PARTS[1:] if name in kinds]
    if len(there) < 2:
        named = all_of(("c2c", *there))
        notes.append(
            Phrase(N_("This checkpoint was made with {named} alone (pos_att_type)."), named=named)
        )
    if "p2p" in kinds:
        notes.append(
            Phrase(
                N_(
                    "Its pos_att_type names p2p too, for which transformers computes "
                    "nothing: position to position is the same whatever the text says."
                )
            )
        )
    return Phrase.joined(notes)
