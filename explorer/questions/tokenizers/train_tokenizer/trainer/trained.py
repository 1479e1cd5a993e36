"""A tokenizer that was trained: its pieces, how they came about, and what they make of a text."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.questions.tokenizers.train_tokenizer.options import Algorithm

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TrainingText:
    """The text that was trained on.

    Attributes:
        name: Of the file; "" for the small world.
        digest: blake2b of what was read, 16 hexadecimal digits.
        lines: That were trained on.
        held_out: Lines that were kept aside.
        characters: Of the lines that were trained on.
        is_cut: There is more in the file than is read.
    """

    name: str
    digest: str
    lines: int
    held_out: int
    characters: int
    is_cut: bool = False


@dataclass(frozen=True)
class TrainedVocabulary:
    """A vocabulary and how it was found.

    Attributes:
        algorithm: Which.
        lowercase: Capital letters are made small before anything is cut.
        pieces: In the order of their numbers: special ones, single letters, what was learnt.
        special: How many are special.
        letters: How many are single letters, or bytes; of a unigram model 0, where they may stand
            anywhere.
        merges: merges x 3, int32: the numbers of both pieces and of what they make, in the order
            in which they were learnt. None of a unigram model.
        counts: How often each pair stood in the text just before it was merged.
        scores: Log-probabilities of the pieces of a unigram model, in nats; else empty.
        kept_from: Of a unigram model's pieces, the smallest of `sizes` whose vocabulary has it.
        sizes: Vocabularies that were measured; the last one is this.
        measured: 2 x sizes x 4, int64: of the text trained on and of the part kept aside the
            pieces, words, characters other than spaces, and unknown pieces.
    """

    algorithm: Algorithm
    lowercase: bool
    pieces: tuple[str, ...]
    special: int
    letters: int
    merges: NDArray[np.int32]
    counts: NDArray[np.int64]
    scores: Floats
    kept_from: NDArray[np.int32]
    sizes: NDArray[np.int32]
    measured: NDArray[np.int64]

    @property
    def fertility(self) -> Floats:
        """Pieces a word: parts x sizes, NaN of a part without words."""
        return _ratio(self.measured[:, :, 0], self.measured[:, :, 1])

    @property
    def length(self) -> Floats:
        """Characters a piece."""
        return _ratio(self.measured[:, :, 2], self.measured[:, :, 0])

    @property
    def unknown(self) -> Floats:
        """Share of the pieces that stand for what the vocabulary lacks."""
        return _ratio(self.measured[:, :, 3], self.measured[:, :, 0])

    @property
    def total(self) -> float:
        """Sum of the probabilities of a unigram model's pieces."""
        return float(np.exp(self.scores[self.special :]).sum()) if len(self.scores) else 0.0

    def likeliest(self) -> Iterator[tuple[int, float, int]]:
        """Of a unigram model: number, log-probability and smallest size of every piece, in order.

        They are numbered so that the likeliest comes first.
        """
        for number in range(self.special, len(self.scores)):
            yield number, float(self.scores[number]), int(self.kept_from[number])


def _ratio(over: NDArray[np.int64], under: NDArray[np.int64]) -> Floats:
    shares = np.full(over.shape, np.nan)
    np.divide(over, under, out=shares, where=under > 0)
    return shares
