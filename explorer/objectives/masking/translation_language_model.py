"""Translation language modelling: the objective of XLM on parallel sentences.

Lample and Conneau 2019, section 3.4: a text and its translation stand one after the other, and
tokens of both are masked as BERT masks them. To predict a masked English word the model can look at
the English around it or at the translation. Positions start again with the second text, and every
token is told its language. Section 3.3, for one language alone: the same, without a translation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.objectives.masking.masked_language_model import Tokens


@dataclass(frozen=True, slots=True)
class LaidTexts:
    """One text, or a text and its translation, as the model reads them.

    Attributes:
        tokens: begin, text, end; then translation, end. Shape [length].
        positions: counted from 0 in each text. Shape [length].
        languages: the language of every token. Shape [length].
        candidates: True at ordinary tokens, which may be masked. Shape [length].
    """

    tokens: Tokens
    positions: Tokens
    languages: Tokens
    candidates: NDArray[np.bool_]


def lay_parallel(
    texts: Sequence[Sequence[int]], languages: Sequence[int], begin: int, end: int
) -> LaidTexts:
    """Put one text, or a text and its translation, one after the other.

    Args:
        texts: the tokens of each text.
        languages: the language of each text.
        begin: the token before the first text.
        end: the token behind every text.
    """
    tokens: list[int] = []
    positions: list[int] = []
    told: list[int] = []
    for place, (text, language) in enumerate(zip(texts, languages, strict=True)):
        laid = [*([] if place else [begin]), *text, end]
        tokens += laid
        positions += range(len(laid))
        told += [language] * len(laid)
    numbers = np.array(tokens)
    return LaidTexts(
        numbers,
        np.array(positions),
        np.array(told),
        (numbers != begin) & (numbers != end),
    )
