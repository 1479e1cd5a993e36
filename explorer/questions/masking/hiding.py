"""What is hidden of a text while one of its tokens is predicted: the ways of scoring sentences."""

import enum

from explorer.api.question import Choice, Entry
from explorer.text import N_


class ScoringMethod(enum.StrEnum):
    """What is hidden while a token is predicted.

    ORIGINAL: the token alone, as Salazar et al. 2020 define the pseudo-log-likelihood.
    WORD_LEFT_TO_RIGHT: the token and the pieces of its word to its right, which would give it
    away (PLL-word-l2r of Kauf and Ivanova 2023). WHOLE_WORD: all pieces of its word
    (their PLL-whole-word). A model that reads from the left has one way only, LEFT_TO_RIGHT: each
    token is predicted from all before it.
    """

    ORIGINAL = "original"
    WORD_LEFT_TO_RIGHT = "word_left_to_right"
    WHOLE_WORD = "whole_word"
    LEFT_TO_RIGHT = "left_to_right"


HIDING = Choice(
    N_("Hidden with a token"),
    ScoringMethod.ORIGINAL.value,
    entries=(
        Entry(
            ScoringMethod.ORIGINAL.value,
            N_("Token alone"),
            N_(
                "Each token is masked alone and predicted from all others on both sides (PLL-"
                "original: Salazar et al. 2020). Other pieces of the same word give it away."
            ),
        ),
        Entry(
            ScoringMethod.WORD_LEFT_TO_RIGHT.value,
            N_("Token and rest of word"),
            N_(
                "Each token is masked together with the pieces to its right in the same word, "
                "which would give it away (PLL-word-l2r: Kauf and Ivanova 2023, who recommend it "
                "over the other two)."
            ),
        ),
        Entry(
            ScoringMethod.WHOLE_WORD.value,
            N_("Whole word"),
            N_(
                "All pieces of a word are masked together, and each is predicted without the "
                "others (PLL-whole-word: Kauf and Ivanova 2023)."
            ),
        ),
    ),
)
FROM_LEFT = N_(
    "This model reads from the left: each token is predicted from all before it, and the "
    "sum is the ordinary log-likelihood of the text."
)
"""What a model does that reads from the left, whatever the method."""


def method_said(method: ScoringMethod) -> str:
    """What a method does, in a sentence or two."""
    return FROM_LEFT if method is ScoringMethod.LEFT_TO_RIGHT else HIDING.entry(method.value).tip
