"""Predictions of a model that reads from the left: the next token after what stands before it.

What it expects at a masked place is what it expects to come next after everything before that
place (Radford et al. 2018, section 3.1).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from explorer.api.family import Context, Direction, LoadedModel, Query, UserMistake
from explorer.hf.predict.masked import with_pieces
from explorer.hf.predict.passes.batching import in_batches
from explorer.hf.predict.passes.copies import numbers_of
from explorer.hf.predict.passes.prefix import Prefix
from explorer.hf.predict.rows import log_rows
from explorer.text import N_


class CausalPredictor:
    """Runs a text up to the last asked position, and the head before every asked one.

    Args:
        model: Who predicts.
        head: From last hidden states (n x hidden) to logits (n x vocabulary).
        who: What a sentence calls the model: "GPT-2".
        reads_pairs: Whether it was trained with a second text beside the first.
        goes_on: Its layers take keys and values of tokens that were read before (transformers'
            cache), so that a text that grows is not read from its beginning each time.
    """

    direction = Direction.CAUSAL

    def __init__(
        self,
        model: LoadedModel,
        head: Callable[[Any], Any],
        who: str,
        *,
        reads_pairs: bool,
        goes_on: bool = False,
    ) -> None:
        self._model, self.head = model, head
        self.who, self.reads_pairs = who, reads_pairs
        self.goes_on = goes_on
        self._prefix: Prefix | None = None

    @contextmanager
    def one_text(self) -> Iterator[None]:
        """As `explorer.hf.predict.passes.prefix.one_text`."""
        outer = self._prefix
        if self.goes_on and outer is None:
            self._prefix = Prefix()
        try:
            yield
        finally:
            self._prefix = outer

    def log_probabilities(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `Predictor.log_probabilities`.

        Raises:
            UserMistake: The first token is asked for, or a mask stands before an asked position.
        """
        for query in queries:
            check_seen(query, self.who)
        return in_batches(
            self._model,
            queries,
            lambda query: (max(query.asked), tuple(query.encoded.inputs)),
            self._pass,
            context,
        )

    def _pass(self, batch: Sequence[Query]) -> Sequence[Any]:
        stacked = with_pieces(batch, None, max(batch[0].asked))
        rows_read = [row for row, one in enumerate(batch) for _ in one.asked]
        before = [place - 1 for one in batch for place in one.asked]
        begin = min(before)
        states = self._states(stacked, begin)[rows_read, [place - begin for place in before]]
        found: Sequence[Any] = log_rows(self._model, self.head, states).split(
            [len(one.asked) for one in batch]
        )
        return found

    def pieces_read(self, query: Query) -> tuple[int, ...]:
        """As `explorer.hf.predict.passes.copies.BatchedForward.pieces_read`."""
        check_seen(query, self.who)
        return numbers_of(with_pieces([query], None, max(query.asked))["input_ids"])

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        import torch

        return torch.stack(list(self._pass([query] * count)))

    def _states(self, inputs: dict[str, Any], begin: int) -> Any:
        """Last hidden states of the tokens from one on."""
        prefix, ids = self._prefix, inputs["input_ids"]
        if prefix is None or len(ids) > 1 or inputs.keys() != {"input_ids"}:
            return self._model.encoder(**inputs)[:, begin:]
        start = prefix.go_on(ids[0].tolist(), begin)
        try:
            states = self._model.encoder(
                input_ids=ids[:, start:], past_key_values=prefix.cache, use_cache=True
            )
        except BaseException:
            prefix.forget()
            raise
        return states[:, begin - start :]


def check_seen(query: Query, who: str) -> None:
    """Refuse what a model that reads from the left can't see.

    Args:
        query: What is asked.
        who: What a sentence calls the model.

    Raises:
        UserMistake: The first token is asked for, or a mask stands before an asked position.
    """
    if min(query.asked) == 0:
        raise UserMistake(
            N_(
                "{who} predicts from what comes before a mask, and before the first token "
                "there is nothing."
            ),
            N_("Put a word before the mask, or mask a later one."),
            who=who,
        )
    before = range(max(query.asked))
    tokens, pieces = query.encoded.tokens, query.pieces
    if any(pieces[i] is None if i in pieces else tokens[i].masked for i in before):
        raise UserMistake(
            N_("{who} reads from the left: it can't see what follows a mask."),
            N_("Fill the masks from left to right."),
            who=who,
        )
