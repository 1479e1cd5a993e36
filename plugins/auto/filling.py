"""How a model that was trained to write its text anew fills a mask of it.

Its decoder is given the text as it stands, masks included, each token one place later; what it
expects at a mask's place stands for what the mask hides, as transformers' documents fill a mask of
BART (Lewis et al. 2020, section 2.2: text infilling).
"""

from collections.abc import Callable
from typing import Any

from explorer.api.family import (
    BidirectionalPredictor,
    LayerReadout,
    LoadedModel,
    Predictor,
    Query,
)
from explorer.hf import (
    AttentionKind,
    HeadReadout,
    MaskedPredictor,
    PreparedRun,
    StreamStack,
    decoder_tokens,
    log_rows,
    patch_ports,
    with_pieces,
)
from explorer.text import N_

from .head import HeadBehind, base_of, states_of, writer_of

READS_AGAIN = N_(
    "Its decoder reads the words of the text once more, so that other vectors can't take their "
    "place."
)


def filler_ports(model: LoadedModel) -> dict[type, Any]:
    """The decoder's answers at the places of masks."""
    base = base_of(model.module)
    predictor = MaskedPredictor(model, states_of(base), HeadBehind(model.module, base))
    return {Predictor: predictor, BidirectionalPredictor: predictor}


def filler_layers(
    model: LoadedModel, predictor: MaskedPredictor, stacks: tuple[StreamStack, ...]
) -> dict[type, Any]:
    """What its head reads in the decoder's layers, and the states of both stacks."""
    base = base_of(model.module)

    def rows(**inputs: Any) -> tuple[Any, ...]:
        output = base(**inputs, output_hidden_states=True)
        return (*output.decoder_hidden_states[:-1], output.last_hidden_state)

    readout = HeadReadout(model, writer_of(model.module), rows, predictor.head)
    return {LayerReadout: readout, **patch_ports(model, stacks, _runs(model, predictor))}


def _runs(model: LoadedModel, predictor: MaskedPredictor) -> Callable[[Query], PreparedRun]:
    def prepare(query: Query) -> PreparedRun:
        (place,) = query.asked
        hidden = any(piece is None for piece in query.pieces.values())
        inputs = with_pieces([query], predictor.mask_id if hidden else None)
        begun = model.module.prepare_decoder_input_ids_from_labels(labels=inputs["input_ids"])
        inputs["decoder_input_ids"] = begun
        written = decoder_tokens(model, begun[0].tolist())

        def states(batch: dict[str, Any]) -> Any:
            return predictor.states_of(**batch)[:, place]

        return PreparedRun(
            inputs,
            {
                AttentionKind.ENCODER: query.encoded.tokens,
                AttentionKind.DECODER: written,
                AttentionKind.CROSS: written,
            },
            lambda batch: log_rows(model, predictor.head, states(batch)),
            states,
            predictor.head,
            place,
            AttentionKind.DECODER,
        )

    return prepare
