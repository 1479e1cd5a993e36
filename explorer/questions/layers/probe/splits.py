"""Which words a probe is trained on and which it is tested on, and the labels of its control."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.questions.layers.probe.texts import LabelledWord

Places = NDArray[np.int64]

TESTED = 0.25
"""Share of the texts that are kept for testing."""

WITHHELD = 0.2
"""Share of the different words that are kept from training where words are withheld."""


@dataclass(frozen=True)
class Split:
    """Places of words.

    Attributes:
        seed: What it was drawn with.
        train: Trained on.
        test: Tested on.
    """

    seed: int
    train: Places
    test: Places

    def withholding(self, words: Sequence[LabelledWord]) -> "Split":
        """The same, but trained without a fifth of the different words, and tested on them alone.

        They stand in sentences that are not trained on, either.
        """
        generator = np.random.default_rng([self.seed, 1])
        types = sorted({word.type for word in words})
        count = max(1, round(WITHHELD * len(types)))
        hidden = frozenset(types[n] for n in generator.permutation(len(types))[:count])
        is_hidden = np.array([word.type in hidden for word in words])
        return Split(self.seed, self.train[~is_hidden[self.train]], self.test[is_hidden[self.test]])


def splits_of(
    words: Sequence[LabelledWord], texts: Places, seeds: Iterable[int], tested: float = TESTED
) -> list[Split]:
    """A split of the texts for every seed, of which a share is tested on.

    Words of a sentence that is trained on, in another text, are not tested on: the same words in
    the same order would be known by heart.
    """
    every = np.unique(texts)
    splits = []
    for seed in seeds:
        order = np.random.default_rng([seed, 0]).permutation(every)
        is_test = np.isin(texts, order[: round(tested * len(every))])
        known = {word.sentence for word, out in zip(words, is_test, strict=True) if not out}
        is_new = np.array([word.sentence not in known for word in words])
        splits.append(Split(seed, np.flatnonzero(~is_test), np.flatnonzero(is_test & is_new)))
    return splits


def control_labels(types: Sequence[str], labels: Places, seed: int) -> Places:
    """A random label for every word, drawn as often as real ones are (Hewitt and Liang 2019).

    Args:
        types: The word at every place.
        labels: The real labels.
        seed: Same seed, same labels.
    """
    generator = np.random.default_rng([seed, 2])
    chances = np.bincount(labels) / len(labels)
    different = sorted(set(types))
    drawn = dict(
        zip(different, generator.choice(len(chances), len(different), p=chances), strict=True)
    )
    return np.array([drawn[one] for one in types], dtype=np.int64)
