"""Continuations that are read side by side, each token of them once."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from explorer.api.family import Context, GenerationPrompt, LoadedModel, UserMistake
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.rows import must_be_numbers
from explorer.text import N_

Row = tuple[int, ...]


class ContinuedRows(ABC):
    """Goes on from the rows of the last call where it can, and reads all anew where it can't.

    Args:
        model: Who reads.
        opening: What stands before every row.
        cached: Whether keys and values are kept.
    """

    def __init__(self, model: LoadedModel, opening: GenerationPrompt, *, cached: bool) -> None:
        self.model, self.opening = model, opening
        self._cached = cached
        self._cache: Any = None
        self._known: list[Row] = []

    @abstractmethod
    def new_cache(self) -> Any:
        """An empty cache of transformers."""

    @abstractmethod
    def read(self, ids: Any, cache: Any) -> Any:
        """Logits behind the last of some pieces (rows x vocabulary).

        Args:
            ids: Tensor (rows x pieces): those that the cache has not; all of them without one.
            cache: What was read before; None to keep nothing.
        """

    def logits(self, written: Sequence[Sequence[int]], context: Context) -> Any:
        """As `GenerationState.logits`."""
        import torch

        rows = [tuple(row) for row in written]
        with torch.inference_mode(), cancellable(context):
            try:
                read = self._known_of(rows) if self._cached else 0
                beginning = self.opening.ids if read == 0 else ()
                ids = [(*beginning, *row[max(read - len(self.opening.ids), 0) :]) for row in rows]
                device = torch.device(self.model.device)
                tensor = torch.tensor(ids, dtype=torch.long, device=device)
                logits = self.read(tensor, self._cache).float()
            except BaseException:
                self._forget()  # some layers may have read more than others
                raise
            must_be_numbers(self.model, logits)
        self._known = rows if self._cached else []
        return logits

    def _known_of(self, rows: list[Row]) -> int:
        """How many pieces of every row the cache has; its rows are put into their order."""
        import torch

        length = len(self._known[0]) if self._known else 0
        places = {row: place for place, row in enumerate(self._known)}
        parents = [places.get(row[:length]) for row in rows]
        if not places or None in parents or len(rows[0]) <= length:
            self._forget()
            self._cache = self.new_cache()
            return 0
        if parents != list(range(len(self._known))):
            self._cache.reorder_cache(torch.tensor(parents, device=self.model.device))
        return len(self.opening.ids) + length

    def _forget(self) -> None:
        self._known, self._cache = [], None


def ends_of(model: LoadedModel) -> tuple[int, ...]:
    """Pieces that end a text: as transformers' own `generate` has them, or the tokenizer's."""
    settings = getattr(model.module, "generation_config", None)
    found = getattr(settings, "eos_token_id", None)
    if found is None:
        found = model.tokenizer.eos_token_id
    if found is None:
        return ()
    return tuple(found) if isinstance(found, list | tuple) else (int(found),)


def room_after(ids: Sequence[int], longest: int | None) -> int | None:
    """Pieces that can be written; the last one is never read, and needs no place.

    Raises:
        UserMistake: There is no room, or nothing to go on with.
    """
    if not ids:
        raise UserMistake(
            N_("There is nothing to continue: this model has no token that begins a text."),
            N_("Type the beginning of a sentence."),
        )
    if longest is None:
        return None
    room = longest - len(ids) + 1
    if room < 1:
        raise UserMistake(
            N_("The text takes all {limit} places that the model has: there is no room to go on."),
            N_("Shorten it."),
            limit=longest,
        )
    return room
