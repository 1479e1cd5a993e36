"""Predictions of a model that was trained on masked tokens and sees both sides of each."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from explorer.api import Context, Direction, LoadedModel, Query, Unavailable
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.batching import Batches
from explorer.hf.predict.last_layer import last_layer, read_at
from explorer.hf.predict.rows import log_rows
from explorer.text import N_


class MaskedPredictor:
    """Runs the encoder over a batch of inputs, and the head at the asked positions only.

    Args:
        model: Who predicts.
        states_of: From a batch of inputs to what the head reads (batch x tokens x hidden); the
            encoder's last hidden state in most families.
        head: From such states (n x hidden) to logits (n x vocabulary).
    """

    direction = Direction.BOTH
    who = "This model"
    reads_pairs = True

    def __init__(
        self, model: LoadedModel, states_of: Callable[..., Any], head: Callable[[Any], Any]
    ) -> None:
        self._model = model
        self.states_of, self.head = states_of, head
        plain = states_of is model.encoder
        self._last_layer = last_layer(model.module) if plain else None

    def log_probabilities(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `Predictor.log_probabilities`; inputs of one length share passes, unpadded.

        Raises:
            Unavailable: A mask is to be put in and the tokenizer has none.
        """
        import torch

        found: dict[int, Any] = {}
        alike: defaultdict[tuple[int, tuple[str, ...]], list[int]] = defaultdict(list)
        for number, query in enumerate(queries):
            encoded = query.encoded
            alike[len(encoded.tokens), tuple(encoded.inputs)].append(number)
        with torch.inference_mode(), cancellable(context):
            for (length, _), same in alike.items():
                batches = Batches(self._model, length)
                for start, stop in batches.over(len(same)):
                    if len(queries) > 1:
                        context.progress("predicting", float(len(found)), float(len(queries)))
                    context.check()
                    batch = same[start:stop]
                    with batches.measured(len(batch)):
                        rows = self._pass([queries[number] for number in batch])
                        found.update(zip(batch, rows, strict=True))
        return [found[number] for number in range(len(queries))]

    def _pass(self, batch: Sequence[Query]) -> Sequence[Any]:
        """The rows of each query of one batch."""
        import torch

        first = batch[0].encoded.inputs
        stacked = {name: torch.cat([one.encoded.inputs[name] for one in batch]) for name in first}
        changed = [
            (row, position, self.mask_id if piece is None else piece)
            for row, one in enumerate(batch)
            for position, piece in one.pieces.items()
        ]
        if changed:
            rows, places, pieces = zip(*changed, strict=True)
            ids = stacked["input_ids"]
            ids[list(rows), list(places)] = torch.tensor(pieces, device=ids.device)
        rows_read = [row for row, one in enumerate(batch) for _ in one.asked]
        places_read = [place for one in batch for place in one.asked]
        # Reading a few tokens of the last layer is quicker than running all of it.
        if self._last_layer is not None and 2 * len(places_read) <= stacked["input_ids"].numel():
            with read_at(self._last_layer, rows_read, places_read):
                states = self.states_of(**stacked)[0]
        else:
            states = self.states_of(**stacked)[rows_read, places_read]
        found: Sequence[Any] = log_rows(self._model, self.head, states).split(
            [len(one.asked) for one in batch]
        )
        return found

    @property
    def mask_id(self) -> int:
        """The number of the tokenizer's mask token.

        Raises:
            Unavailable: It has none.
        """
        number: int | None = self._model.tokenizer.mask_token_id
        if number is None:
            raise Unavailable(N_("This model's tokenizer has no mask token."))
        return number
