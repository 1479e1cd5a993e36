"""What each layer of a model makes of a text: hidden states, and attention before the softmax."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api.family import AttentionModules, Context, Encoded, LayerProjection, LoadedModel
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.weights import eager_attention
from explorer.hf.cancelling import cancellable

Floats32 = NDArray[np.float32]


@dataclass(frozen=True)
class LayerStates:
    """One text in one model.

    Attributes:
        hidden: The embeddings' output, then every layer's; each tokens x width, float32.
        scores: Every layer's ``Q K^T / sqrt(d_k)`` with whatever positions add to it; each
            heads x tokens x tokens, float32.
    """

    hidden: tuple[Floats32, ...]
    scores: tuple[Floats32, ...]

    @property
    def layers(self) -> int:
        """Number of layers, embeddings not counted."""
        return len(self.hidden) - 1

    @property
    def width(self) -> int:
        """Of a hidden state."""
        return int(self.hidden[0].shape[1])

    @property
    def heads(self) -> int:
        """In a layer."""
        return int(self.scores[0].shape[0])


class EncoderLayers:
    """As `explorer.api.HiddenStates`: of a model with one stack."""

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    def layers(self, encoded: Encoded, context: Context) -> LayerStates:
        """Run the encoder once and keep what every layer gives.

        Raises:
            Cancelled: The run was cancelled; checked before every layer.
        """
        import torch

        model = self._model
        with (
            torch.inference_mode(),
            cancellable(context),
            eager_attention(model.module),
            model.port(AttentionModules).captured() as kept,
        ):
            output = model.module.base_model(**encoded.inputs, output_hidden_states=True)
        own = (one for one in kept if one.kind is not AttentionKind.CROSS)
        return LayerStates(
            tuple(one[0].float().cpu().numpy() for one in output.hidden_states),
            tuple(one.scores().cpu().numpy() for one in sorted(own, key=lambda one: one.layer)),
        )


def trained_projection(
    student: LoadedModel, teacher_width: int
) -> Callable[[Floats32, int], Floats32] | None:
    """The student's own projection to its teacher's width, where its files hold one that fits.

    Returns:
        From a layer's states (tokens x student's width) and the layer's number, 0 for the
        embeddings, to tokens x teacher's width; None where there is none.
    """
    found: LayerProjection | None = student.ports.get(LayerProjection)
    return found.project if found is not None and found.width == teacher_width else None
