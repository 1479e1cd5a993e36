"""What a model answers when it reads other vectors than those of its pieces."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from explorer.api.family import Context, LoadedModel, Query, Unavailable, UserMistake
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.passes.copies import BatchedForward
from explorer.hf.predict.traced import why_no_gradients
from explorer.text import N_


class TableEmbeddings:
    """As `explorer.api.InputEmbeddings`, of a model that looks its pieces up in one table.

    Args:
        model: Whose.
        table: The module that gives vectors for the numbers of pieces.
        ports: Whose answers can be had.
    """

    def __init__(
        self, model: LoadedModel, table: Any, ports: Mapping[type, BatchedForward]
    ) -> None:
        self._model, self._table, self._ports = model, table, ports
        self.answered = frozenset(ports)
        self.no_gradients = why_no_gradients(model.stamp)

    def vectors(self, pieces: Sequence[int]) -> Any:
        """As `explorer.api.InputEmbeddings.vectors`."""
        import torch

        ids = torch.tensor([pieces], device=self._model.device)
        with torch.no_grad():
            return self._table(ids)[0].float()

    def pieces(self, port: type, query: Query) -> tuple[int, ...]:
        """As `explorer.api.InputEmbeddings.pieces`."""
        return self._ports[port].pieces_read(query)

    def answers(self, port: type, query: Query, vectors: Any, context: Context) -> Any:
        """As `explorer.api.InputEmbeddings.answers`."""
        import torch

        if vectors.requires_grad and self.no_gradients:
            raise UserMistake(
                self.no_gradients,
                N_(
                    "Load it as float32 and in memory, or choose a method without gradients, such "
                    "as occlusion."
                ),
            )
        with (
            torch.set_grad_enabled(vectors.requires_grad),
            cancellable(context),
            standing_in(self._table, vectors),
        ):
            return self._ports[port].of_copies(query, len(vectors))


@contextmanager
def standing_in(table: Any, vectors: Any) -> Iterator[None]:
    """Let the first look-up inside the block give these vectors.

    The first alone: some models look other things up in the same table afterwards.

    Args:
        table: A module of embeddings.
        vectors: Copies x pieces x width.
    """
    left = [vectors]

    def replace(_table: Any, _inputs: Any, output: Any) -> Any:
        if not left:
            return output
        given = left.pop()
        if given.shape != output.shape:
            raise Unavailable(
                N_(
                    "This model looks up {own} vectors for {count} tokens, so that no others can "
                    "take their place."
                ),
                own=output.shape[-2],
                count=given.shape[-2],
            )
        return given.to(output.dtype)

    handle = table.register_forward_hook(replace)
    try:
        yield
        if left:
            raise RuntimeError("the model read its pieces from elsewhere")
    finally:
        handle.remove()
