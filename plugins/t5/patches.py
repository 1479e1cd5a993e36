"""How T5 is run for patching: the encoder reads the text, the decoder what it has written."""

from collections.abc import Callable
from typing import Any

from explorer.api import LoadedModel, Query
from explorer.hf.attention.layout import Kind
from explorer.hf.attention.weights import decoder_tokens
from explorer.hf.predict.rows import log_rows
from explorer.hf.states.patching import Prepared

from .predictor import SentinelPredictor


def two_stacks(model: LoadedModel, predictor: SentinelPredictor) -> Callable[[Query], Prepared]:
    """Its runs."""

    def prepare(query: Query) -> Prepared:
        import torch

        task = predictor.task_of(query)
        (place,) = task.read
        device = torch.device(model.device)
        written = decoder_tokens(model, list(task.target))

        def read(batch: dict[str, Any]) -> Any:
            return log_rows(model, lambda logits: logits, model.module(**batch).logits[:, place])

        return Prepared(
            {
                "input_ids": torch.tensor([task.inputs], device=device),
                "decoder_input_ids": torch.tensor([task.target], device=device),
            },
            {Kind.ENCODER: query.encoded.tokens, Kind.DECODER: written, Kind.CROSS: written},
            read,
        )

    return prepare
