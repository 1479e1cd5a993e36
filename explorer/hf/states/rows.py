"""The hidden states of every layer of one stack, in batches of texts of one length."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api.family import Context, Encoded, LoadedModel, Query, Unavailable
from explorer.api.question import row_name
from explorer.hf.predict.masked import with_pieces
from explorer.hf.predict.passes.batching import in_batches
from explorer.text import N_

StateRows = Callable[..., tuple[Any, ...]]
"""From a batch of inputs to the states of every row (each batch x tokens x width)."""


def rows_of(reader: Any) -> StateRows:
    """What transformers calls the hidden states of a stack.

    The last ones are those that leave the stack: where a norm stands behind the last layer, behind
    that norm.

    Args:
        reader: A transformers model without a head, or the stack of one.

    Raises:
        Unavailable: On a run: layers pool tokens (Funnel), or have several streams (DeepSeek V4).
    """

    def run(**inputs: Any) -> tuple[Any, ...]:
        output = reader(**inputs, output_hidden_states=True, return_dict=True)
        rows = (*output.hidden_states[:-1], output.last_hidden_state)
        if len({one.shape for one in rows}) > 1:
            raise Unavailable(
                N_("Not every layer of this model gives one state of the same size for each token.")
            )
        return rows

    return run


def row_names(rows: int, passes: int = 0) -> tuple[str, ...]:
    """What rows are called: "emb.", "0" and so on, "decoder 1" and so on.

    Args:
        rows: How many there are, the embeddings' among them.
        passes: How many of them, at the end, are a decoder's.
    """
    layers = rows - 1 - passes
    numbered = [row_name(row) for row in range(layers + 1)]
    return (*numbered, *(f"decoder {step}" for step in range(1, passes + 1)))


class StackStates:
    """As `explorer.api.HiddenStates`, of one stack.

    Args:
        model: Whose.
        rows: Runs the stack.
    """

    def __init__(self, model: LoadedModel, rows: StateRows) -> None:
        self._model, self._rows = model, rows

    def states(self, texts: Sequence[Encoded], context: Context) -> list[Any]:
        """As `explorer.api.HiddenStates.states`."""
        import torch

        def run(batch: Sequence[Query]) -> Sequence[Any]:
            rows = self._rows(**with_pieces(batch, None))
            return list(torch.stack(rows, dim=1).float())

        return in_batches(
            self._model,
            [Query(one, ()) for one in texts],
            lambda query: (len(query.encoded.tokens), tuple(query.encoded.inputs)),
            run,
            context,
        )
