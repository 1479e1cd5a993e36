"""Predictions of a model that reads from the left: the next token after what stands before it.

What it expects at a masked place is what it expects to come next after everything before that
place (Radford et al. 2018, section 3.1).
"""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api import Context, Direction, LoadedModel, Query, UserMistake
from explorer.hf.predict.batching import in_batches
from explorer.hf.predict.rows import log_rows
from explorer.text import N_


class CausalPredictor:
    """Runs a text up to the last asked position, and the head before every asked one.

    Args:
        model: Who predicts.
        head: From last hidden states (n x hidden) to logits (n x vocabulary).
        who: What a sentence calls the model: "GPT-2".
        reads_pairs: Whether it was trained with a second text beside the first.
    """

    direction = Direction.CAUSAL

    def __init__(
        self, model: LoadedModel, head: Callable[[Any], Any], who: str, *, reads_pairs: bool
    ) -> None:
        self._model, self.head = model, head
        self.who, self.reads_pairs = who, reads_pairs

    def log_probabilities(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `Predictor.log_probabilities`.

        Raises:
            UserMistake: The first token is asked for, or a mask stands before an asked position.
        """
        for query in queries:
            self._check(query)
        return in_batches(
            self._model,
            queries,
            lambda query: (max(query.asked), tuple(query.encoded.inputs)),
            self._pass,
            context,
        )

    def _check(self, query: Query) -> None:
        if min(query.asked) == 0:
            raise UserMistake(
                N_(
                    "{who} predicts from what stands before a mask, and before the first "
                    "token there is nothing."
                ),
                N_("Put a word before the mask, or mask a later one."),
                who=self.who,
            )
        before = range(max(query.asked))
        tokens, pieces = query.encoded.tokens, query.pieces
        if any(pieces[i] is None if i in pieces else tokens[i].masked for i in before):
            raise UserMistake(
                N_("{who} reads from the left: it can't see what stands behind a mask."),
                N_("Fill the masks from left to right."),
                who=self.who,
            )

    def _pass(self, batch: Sequence[Query]) -> Sequence[Any]:
        import torch

        length = max(batch[0].asked)
        first = batch[0].encoded.inputs
        stacked = {
            name: torch.cat([one.encoded.inputs[name][:, :length] for one in batch])
            for name in first
        }
        for row, one in enumerate(batch):
            for position, piece in one.pieces.items():
                if position < length and piece is not None:
                    stacked["input_ids"][row, position] = piece
        rows_read = [row for row, one in enumerate(batch) for _ in one.asked]
        before = [place - 1 for one in batch for place in one.asked]
        states = self._model.encoder(**stacked)[rows_read, before]
        found: Sequence[Any] = log_rows(self._model, self.head, states).split(
            [len(one.asked) for one in batch]
        )
        return found
