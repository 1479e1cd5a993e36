"""What the cuttings of all sentences of a file say together: counts of every piece, and numbers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Cell
from explorer.numerics.distributions.efficiency import renyi_efficiency

COLUMNS = ("counted_of_each",)
"""One cell a sentence: what is counted of it, of every tokenizer, and its pieces' numbers."""


@dataclass(frozen=True)
class Total:
    """One tokenizer over all sentences.

    Attributes:
        checkpoint: Whose tokenizer it is.
        title: What a user reads for that.
        pieces: How many all sentences are.
        words: Words of all sentences.
        continued: Words that are cut into several pieces.
        unknown: Pieces that stand for what the vocabulary lacks.
        efficiency: Rényi efficiency of all pieces together, order 2.5; None without two kinds.
        kinds: Pieces of the vocabulary that stand somewhere.
        premium: How many times as many pieces as the same sentences have in English; None where
            none was given in English.
        exact: Sentences that are read back exactly.
        differs: What the first other one reads back, and what was typed there; ("", "") for none.
    """

    checkpoint: str
    title: str
    pieces: int
    words: int
    continued: int
    unknown: int
    efficiency: float | None
    kinds: int
    premium: float | None
    exact: int
    differs: tuple[str, str]

    @property
    def fertility(self) -> float | None:
        """Pieces a word."""
        return self.pieces / self.words if self.words else None

    @property
    def continued_share(self) -> float | None:
        """Share of the words that are cut into several pieces."""
        return self.continued / self.words if self.words else None


@dataclass(frozen=True)
class Pooled:
    """All tokenizers over all sentences.

    Attributes:
        sentences: How many.
        characters: Of all of them.
        totals: A tokenizer each.
    """

    sentences: int
    characters: int
    totals: tuple[Total, ...]


class _TokenizerSum:
    """One tokenizer's sentences, added up one by one."""

    def __init__(self, checkpoint: str, title: str) -> None:
        self._name = checkpoint, title
        self._counts: NDArray[np.int64] = np.zeros(1024, dtype=np.int64)
        self._words = self._continued = self._unknown = self._exact = 0
        self._beside = self._english = 0
        self._differs = ("", "")

    def add(self, told: Mapping[str, Any]) -> None:
        """Take a sentence."""
        ids = np.array(told["ids"].split(), dtype=np.int64)
        own = np.bincount(ids)
        if len(own) > len(self._counts):
            wider = np.zeros(max(len(own), 2 * len(self._counts)), dtype=np.int64)
            wider[: len(self._counts)] = self._counts
            self._counts = wider
        self._counts[: len(own)] += own
        self._words += told["words"]
        self._continued += told["continued"]
        self._unknown += told["unknown"]
        if told["english"]:
            self._beside += len(ids)
            self._english += told["english"]
        if told["differs"] is None:
            self._exact += 1
        elif self._differs == ("", ""):
            read, typed = told["differs"]
            self._differs = read, typed

    def total(self) -> Total:
        """Of all that were taken."""
        seen = self._counts[self._counts > 0]
        checkpoint, title = self._name
        return Total(
            checkpoint,
            title,
            int(seen.sum()),
            self._words,
            self._continued,
            self._unknown,
            renyi_efficiency(seen.tolist()),
            len(seen),
            self._beside / self._english if self._english else None,
            self._exact,
            self._differs,
        )


def gather(rows: Iterable[Sequence[Cell]]) -> Pooled | None:
    """Add up all sentences; None without one."""
    sums: dict[str, _TokenizerSum] = {}
    sentences = characters = 0
    for (cell,) in rows:
        if not cell:
            continue  # of a program that kept none
        told = json.loads(str(cell))
        sentences += 1
        characters += told["characters"]
        for checkpoint, one in told["each"].items():
            if checkpoint not in sums:
                sums[checkpoint] = _TokenizerSum(checkpoint, one["title"])
            sums[checkpoint].add(one)
    if not sentences:
        return None
    return Pooled(sentences, characters, tuple(one.total() for one in sums.values()))


def _pieces(one: Total) -> int:
    return one.pieces


def told(pooled: Pooled) -> Mapping[str, Cell]:
    """How far the tokenizers are apart."""
    fewest, most = min(pooled.totals, key=_pieces), max(pooled.totals, key=_pieces)
    return {
        "sentences": pooled.sentences,
        "characters": pooled.characters,
        "words": fewest.words,
        "fewest": fewest.checkpoint,
        "fewest_pieces": fewest.pieces,
        "most": most.checkpoint,
        "most_pieces": most.pieces,
        "ratio": most.pieces / fewest.pieces if fewest.pieces else None,
    }
