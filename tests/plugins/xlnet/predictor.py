"""XLNet's predictions: what is hidden is what no token may see, itself included."""

from collections.abc import Sequence
from typing import Any

from explorer.api.family import Context, Direction, LoadedModel, Query
from explorer.hf import in_batches, log_rows


class PermutationPredictor:
    """Asks the query stream at some positions, in an order in which what is hidden comes last.

    A permutation mask hides the masks and the asked tokens from every token, so that each is
    predicted from all others and none from another (Yang et al. 2019, section 2.3). A token that
    stands in the text and is asked for is hidden too: the query stream never sees its own.
    """

    direction = Direction.BOTH
    who = "XLNet"
    reads_pairs = True
    hides_asked = True

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    @property
    def mask_id(self) -> int:
        """The number of <mask>; what is hidden is hidden whatever stands there."""
        return int(self._model.tokenizer.mask_token_id)

    def head(self, states: Any) -> Any:
        """From the query stream's states (n x hidden) to logits (n x vocabulary)."""
        return self._model.module.lm_loss(states)

    def log_probabilities(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `Predictor.log_probabilities`; inputs of one length and as many asked share passes."""
        return in_batches(
            self._model,
            queries,
            lambda query: (len(query.encoded.tokens), len(query.asked)),
            self._pass,
            context,
        )

    def _pass(self, batch: Sequence[Query]) -> Sequence[Any]:
        import torch

        length = len(batch[0].encoded.tokens)
        first = batch[0].encoded.inputs
        stacked = {name: torch.cat([one.encoded.inputs[name] for one in batch]) for name in first}
        mapping = torch.zeros((len(batch), len(batch[0].asked), length))
        for row, one in enumerate(batch):
            for place, piece in one.pieces.items():
                stacked["input_ids"][row, place] = self.mask_id if piece is None else piece
            for number, place in enumerate(one.asked):
                mapping[row, number, place] = 1
        some = next(self._model.module.parameters())
        states = self._model.module.transformer(
            **stacked,
            perm_mask=hidden_from_all([hidden(one) for one in batch], length).to(some),
            target_mapping=mapping.to(some),
            use_mems=False,
        ).last_hidden_state
        rows = log_rows(self._model, self.head, states.flatten(0, 1))
        found: Sequence[Any] = rows.split([len(one.asked) for one in batch])
        return found


def hidden(query: Query) -> list[int]:
    """Positions that no token sees: masks that nothing was put in for, and what is asked."""
    masks = {place for place in query.encoded.mask_positions if place not in query.pieces}
    masks |= {place for place, piece in query.pieces.items() if piece is None}
    return sorted(masks | set(query.asked))


def hidden_from_all(places: Sequence[Sequence[int]], length: int) -> Any:
    """A permutation mask (batch x tokens x tokens): 1 where the first may not see the second."""
    import torch

    mask = torch.zeros((len(places), length, length))
    for row, some in enumerate(places):
        mask[row, :, list(some)] = 1
    return mask
