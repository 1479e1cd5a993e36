"""What to look at first: where a word's occurrences come apart, or what a single one is near."""

from typing import Any

import numpy as np

from explorer.api.question import Headline, beyond, layer_phrase
from explorer.questions.layers.word_journey.question import VECTOR, WordJourneyResult, WordMatch
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import with_minus

CHOSEN = (WordMatch.TYPED, WordMatch.MASKED)
"""Of a word that nobody chose, as the first "the" of a text, nobody asks where it goes."""
SMALL, MOST = 0.1, 2.0
"""A change of the mean cosine that does not stand out, and the largest that there is."""


def headline(result: WordJourneyResult, **_settings: Any) -> Headline:
    """The layer in which occurrences are least alike beside that in which they are most."""
    own = result.own[: len(result.layers)]
    if result.found not in CHOSEN or not np.isfinite(own).all():
        return Headline()
    most, least = int(own.argmax()), int(own.argmin())
    values = {
        "word": result.word,
        "least": layer_phrase(result.layers[least]),
        "low": with_minus(float(own[least]), 2),
        "most": layer_phrase(result.layers[most]),
        "high": with_minus(float(own[most]), 2),
    }
    if own[most] - own[least] < SMALL:
        return Headline()
    if least > most:
        code = N_(
            "The occurrences of “{word}” drift apart: their mean cosine falls from {high} at "
            "{most} to {low} at {least}."
        )
    else:
        code = N_(
            "The occurrences of “{word}” come together: their mean cosine rises from {low} at "
            "{least} to {high} at {most}."
        )
    strength = beyond(float(own[most] - own[least]), SMALL, MOST)
    return Headline(
        Phrase(code, **values), points_at={VECTOR.key: result.layers[least]}, strength=strength
    )
