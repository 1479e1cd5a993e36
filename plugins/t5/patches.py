"""How T5 is run for patching: the encoder reads the text, the decoder what it has written."""

from collections.abc import Callable
from typing import Any

from explorer.api.family import LoadedModel, Query
from explorer.hf import AttentionKind, PreparedRun, decoder_tokens, log_rows

from .predictor import SentinelPredictor


def two_stacks(model: LoadedModel, predictor: SentinelPredictor) -> Callable[[Query], PreparedRun]:
    """Its runs."""

    def prepare(query: Query) -> PreparedRun:
        import torch

        task = predictor.task_of(query)
        (place,) = task.read
        device = torch.device(model.device)
        written = decoder_tokens(model, list(task.target))

        def states(batch: dict[str, Any]) -> Any:
            return model.module(**batch).logits[:, place]

        def head(logits: Any) -> Any:
            return logits

        def read(batch: dict[str, Any]) -> Any:
            return log_rows(model, head, states(batch))

        return PreparedRun(
            {
                "input_ids": torch.tensor([task.inputs], device=device),
                "decoder_input_ids": torch.tensor([task.target], device=device),
            },
            {
                AttentionKind.ENCODER: query.encoded.tokens,
                AttentionKind.DECODER: written,
                AttentionKind.CROSS: written,
            },
            read,
            states,
            head,
            place,
            AttentionKind.DECODER,
        )

    return prepare
