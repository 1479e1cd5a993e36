"""Ports of the heads of training objectives that judge tokens."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api.family import Context, Encoded, LoadedModel, Query
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.passes.copies import copied_inputs, numbers_of
from explorer.hf.predict.rows import log_rows, must_be_numbers


class EncoderHead:
    """A head on top of the encoder's last hidden state: one logit a token, as a discriminator's.

    Args:
        model: Whose encoder.
        head: From states (batch x tokens x hidden) to logits (batch x tokens).
    """

    def __init__(self, model: LoadedModel, head: Callable[[Any], Any]) -> None:
        self._model, self.head = model, head

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """As `Discriminator.logits`."""
        import torch

        every = Query(encoded, tuple(range(len(encoded.tokens))))
        with torch.inference_mode(), cancellable(context):
            return self.of_copies(every, 1)[0]

    def pieces_read(self, query: Query) -> tuple[int, ...]:
        """As `explorer.hf.predict.passes.copies.BatchedForward.pieces_read`."""
        return numbers_of(query.encoded.input_ids)

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        states = self._model.encoder(**copied_inputs(query.encoded, count))
        logits = self.head(states)[:, list(query.asked)].float()
        must_be_numbers(self._model, logits)
        return logits


class SpanBoundaryPredictor:
    """A span-boundary head on top of the encoder's last hidden state.

    Args:
        model: Whose encoder.
        head: A call that takes the states before and behind a span (n x hidden each), the place of
            each token in it (n) and the word embeddings, and gives logits (n x vocabulary).
        longest: Places that the head tells apart.
    """

    def __init__(self, model: LoadedModel, head: Callable[..., Any], longest: int) -> None:
        self._model, self.head, self.longest = model, head, longest

    def log_probabilities(
        self, encoded: Encoded, spans: Sequence[tuple[int, int]], context: Context
    ) -> list[Any]:
        """As `BoundaryPredictor.log_probabilities`."""
        import torch

        words = self._model.module.get_input_embeddings().weight
        found = []
        with torch.inference_mode(), cancellable(context):
            states = self._model.encoder(**encoded.inputs)[0]
            for left, right in spans:
                places = torch.arange(right - left - 1, device=states.device)
                sides = (states[side].expand(len(places), -1) for side in (left, right))
                logits = self.head(*sides, places, words)
                found.append(log_rows(self._model, lambda one: one, logits))
        return found
