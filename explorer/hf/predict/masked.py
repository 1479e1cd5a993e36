"""Predictions of a model that was trained on masked tokens and sees both sides of each."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api.family import Context, Direction, LoadedModel, Query, Unavailable
from explorer.hf.predict.passes.batching import in_batches
from explorer.hf.predict.passes.copies import numbers_of
from explorer.hf.predict.passes.last_layer import read_at
from explorer.hf.predict.rows import log_rows
from explorer.text import N_


class MaskedPredictor:
    """Runs the encoder over a batch of inputs, and the head at the asked positions only.

    Args:
        model: Who predicts.
        states_of: From a batch of inputs to what the head reads (batch x tokens x hidden); the
            encoder's last hidden state in most families.
        head: From such states (n x hidden) to logits (n x vocabulary).
        tail: The part of the last layer that may run at the asked positions alone
            (`last_tail`), where the states are the encoder's; None where there is none.
    """

    direction = Direction.BOTH
    who = "This model"
    reads_pairs = True

    def __init__(
        self,
        model: LoadedModel,
        states_of: Callable[..., Any],
        head: Callable[[Any], Any],
        tail: Any = None,
    ) -> None:
        self._model = model
        self.states_of, self.head = states_of, head
        self._tail = tail if states_of is model.encoder else None

    def log_probabilities(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `Predictor.log_probabilities`; inputs of one length share passes, unpadded.

        Raises:
            Unavailable: A mask is to be put in and the tokenizer has none.
        """
        return in_batches(
            self._model,
            queries,
            lambda query: (len(query.encoded.tokens), tuple(query.encoded.inputs)),
            self._pass,
            context,
        )

    def _pass(self, batch: Sequence[Query]) -> Sequence[Any]:
        """The rows of each query of one batch."""
        stacked = self._stacked(batch)
        rows_read = [row for row, one in enumerate(batch) for _ in one.asked]
        places_read = [place for one in batch for place in one.asked]
        # Reading a few tokens of the last layer is quicker than running all of it.
        if self._tail is not None and 2 * len(places_read) <= stacked["input_ids"].numel():
            with read_at(self._tail, rows_read, places_read):
                states = self.states_of(**stacked)[0]
        else:
            states = self.states_of(**stacked)[rows_read, places_read]
        found: Sequence[Any] = log_rows(self._model, self.head, states).split(
            [len(one.asked) for one in batch]
        )
        return found

    def pieces_read(self, query: Query) -> tuple[int, ...]:
        """As `explorer.hf.predict.passes.copies.BatchedForward.pieces_read`."""
        return numbers_of(self._stacked([query])["input_ids"])

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        import torch

        return torch.stack(list(self._pass([query] * count)))

    def _stacked(self, batch: Sequence[Query]) -> dict[str, Any]:
        """Their inputs in one batch."""
        hidden = any(piece is None for one in batch for piece in one.pieces.values())
        return with_pieces(batch, self.mask_id if hidden else None)

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


def with_pieces(
    batch: Sequence[Query], mask_id: int | None, length: int | None = None
) -> dict[str, Any]:
    """The inputs of queries of one length in one batch, with the pieces that stand in each.

    Args:
        batch: At least one.
        mask_id: What stands for a hidden token; None where none of the pieces is one.
        length: Tokens that are read of each; None for all.
    """
    import torch

    first = batch[0].encoded.inputs
    stacked = {
        name: torch.cat([one.encoded.inputs[name][:, :length] for one in batch]) for name in first
    }
    changed = [
        (row, position, mask_id if piece is None else piece)
        for row, one in enumerate(batch)
        for position, piece in one.pieces.items()
        if length is None or position < length
    ]
    if changed:
        rows, places, pieces = zip(*changed, strict=True)
        ids = stacked["input_ids"]
        ids[list(rows), list(places)] = torch.tensor(pieces, device=ids.device)
    return stacked
