"""What a model that reads from the left has read of a text, kept while one question asks about it.

It is kept inside a block and no longer: a model may be changed between two questions, as when its
heads are switched off, and then what it read before is no longer what it would read.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from explorer.api.family import Predictor


def one_text(predictor: Predictor) -> AbstractContextManager[None]:
    """While the block asks about one text again and again, go on from what was read of it."""
    block: Any = getattr(predictor, "one_text", nullcontext)
    found: AbstractContextManager[None] = block()
    return found


class Prefix:
    """Keys and values of the tokens that were read last.

    Attributes:
        cache: Transformers' own, which a forward pass adds to.
    """

    def __init__(self) -> None:
        self._ids: list[int] = []
        self.cache: Any = None

    def go_on(self, ids: list[int], before: int) -> int:
        """From which token on a text has to be read; the cache is cut to those before it.

        Args:
            ids: The text.
            before: The states from here on are wanted, so these are read anew in any case.
        """
        from transformers import DynamicCache

        pairs = enumerate(zip(self._ids, ids, strict=False))
        shared = next((n for n, (old, new) in pairs if old != new), min(len(self._ids), len(ids)))
        start = min(shared, before)
        if self.cache is None or start == 0:
            self.cache, start = DynamicCache(), 0
        elif start < len(self._ids):
            self.cache.crop(start - len(self._ids))  # how many go, as a negative number
        self._ids = ids
        return start

    def forget(self) -> None:
        """After a pass that did not end: some layers have read more than others."""
        self._ids, self.cache = [], None
