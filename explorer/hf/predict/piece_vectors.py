"""The vectors of a whole vocabulary, as the checkpoint has them."""

from collections.abc import Mapping
from typing import Any

from explorer.api.family import LoadedModel

INPUT, OUTPUT = "input", "output"


class TablePieceVectors:
    """As `explorer.api.EmbeddingMatrices`, of the tables that transformers names.

    Args:
        tables: The weights (rows x width) by side.
        states_width: Of the layers' states.
    """

    def __init__(self, tables: Mapping[str, Any], states_width: int) -> None:
        self._tables = tables
        self.sides = tuple(tables)
        self.states_width = states_width

    def shape(self, side: str) -> tuple[int, int]:
        """As `explorer.api.EmbeddingMatrices.shape`."""
        rows, width = self._tables[side].shape
        return int(rows), int(width)

    def rows(self, side: str, start: int, stop: int) -> Any:
        """As `explorer.api.EmbeddingMatrices.rows`."""
        return self._tables[side].detach()[start:stop].float().cpu().numpy().copy()


def piece_vectors_of(model: LoadedModel, reader: Any) -> TablePieceVectors | None:
    """A model's tables; None where pieces are read from no plain one that is the checkpoint's own.

    Args:
        model: With the report of which weights came from the files.
        reader: The stack that reads the text.
    """
    try:
        read = _weight(reader.get_input_embeddings())
    except (NotImplementedError, AttributeError):
        return None  # not every class of transformers has the method
    if read is None or _is_fresh(model, read):
        return None
    tables = {INPUT: read}
    scored = _weight(model.module.get_output_embeddings())
    if (
        scored is not None
        and scored.data_ptr() != read.data_ptr()
        and scored.shape[0] == read.shape[0]
        and not _is_fresh(model, scored)
    ):
        tables[OUTPUT] = scored
    width = getattr(model.config, "hidden_size", None)
    return TablePieceVectors(tables, width if isinstance(width, int) else int(read.shape[1]))


def _is_fresh(model: LoadedModel, weight: Any) -> bool:
    """Whether a weight is not of the checkpoint: such a table says nothing about its pieces."""
    names = {name for name, one in model.module.named_parameters() if one is weight}
    return not names.isdisjoint(model.report.missing)


def _weight(module: Any) -> Any:
    """A module's table; None where it has none."""
    weight = getattr(module, "weight", None)
    return weight if weight is not None and getattr(weight, "ndim", 0) == 2 else None
