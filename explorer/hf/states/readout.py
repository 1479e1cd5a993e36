"""What a model's own head reads in the states of every layer: the ground of the logit lens.

A model whose norms stand before its sublayers has one more behind its last layer, and its head
reads every state through that norm. A model whose norms stand behind them has none: each layer's
states are normed already (nostalgebraist 2020, "interpreting GPT: the logit lens"; Belrose et al.
2023, arXiv 2303.08112, section 2).
"""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api.family import Context, LoadedModel, Query
from explorer.hf.predict.causal import check_seen
from explorer.hf.predict.masked import with_pieces
from explorer.hf.predict.passes.batching import in_batches
from explorer.hf.predict.rows import log_rows
from explorer.hf.states.final_norm import FinalNorm
from explorer.hf.states.rows import StateRows

PROBE = "a-b"
"""A text in whose run the final norm is looked for."""


class HeadReadout:
    """As `explorer.api.LayerReadout`, of a model whose head reads the last hidden states.

    Args:
        model: Whose.
        stack: The module that predicts, in which a final norm would be.
        rows: Runs it: the embeddings' output, every layer's, and what the head was trained on last.
        head: From states (n x width) to logits (n x vocabulary).
        passes: Of a decoder that applies the last layer again.
        from_left: Who, where the model predicts a token from those before it; "" for one that
            sees both sides.
    """

    def __init__(
        self,
        model: LoadedModel,
        stack: Any,
        rows: StateRows,
        head: Callable[[Any], Any],
        *,
        passes: int = 0,
        from_left: str = "",
    ) -> None:
        self._model, self._rows, self._head = model, rows, head
        self._from_left = from_left
        self._norm = FinalNorm(stack)
        self.passes = passes

    def states(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `explorer.api.LayerReadout.states`."""
        shift = 1 if self._from_left else 0
        if self._from_left:
            for query in queries:
                check_seen(query, self._from_left)

        def length_of(query: Query) -> int:
            return max(query.asked) if self._from_left else len(query.encoded.tokens)

        def run(batch: Sequence[Query]) -> Sequence[Any]:
            import torch

            masks = any(piece is None for one in batch for piece in one.pieces.values())
            mask_id = self._model.tokenizer.mask_token_id if masks else None
            inputs = with_pieces(batch, mask_id, length_of(batch[0]))
            with self._norm.watched() as seen:
                rows = self._rows(**inputs)
            every = torch.stack(self._norm.before(rows, seen), dim=1)
            return [
                every[number][:, [place - shift for place in one.asked]].float()
                for number, one in enumerate(batch)
            ]

        found = in_batches(
            self._model,
            queries,
            lambda query: (length_of(query), tuple(query.encoded.inputs)),
            run,
            context,
        )
        # What was made for inference alone could take no part in a gradient.
        return [one.clone() for one in found]

    def log_probabilities(self, states: Any) -> Any:
        """As `explorer.api.LayerReadout.log_probabilities`."""
        import torch

        if not self._norm.is_known:  # of vectors that come from no run
            encoded = self._model.encode(PROBE)
            self.states([Query(encoded, (len(encoded.tokens) - 1,))], Context())
        dtype = getattr(torch, self._model.dtype)
        with torch.set_grad_enabled(states.requires_grad):
            return log_rows(self._model, self._head, self._norm(states.to(dtype)))
