"""What to look at first: where a word's occurrences come apart, or what a single one is near."""

import numpy as np

from explorer.api import Headline
from explorer.api.question.layer_names import layer_phrase
from explorer.questions.layers.word_journey.question import WordJourneyResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import with_minus
from explorer.text.phrase import NOTHING

SMALL = 0.1
"""A change of the mean cosine that does not stand out."""


def headline(result: WordJourneyResult) -> Headline:
    """The layer in which occurrences are least alike beside that in which they are most."""
    own = result.own[: len(result.layers)]
    if not np.isfinite(own).all():
        return Headline(_of_one(result))
    most, least = int(own.argmax()), int(own.argmin())
    values = {
        "word": result.word,
        "least": layer_phrase(result.layers[least]),
        "low": with_minus(float(own[least]), 2),
        "most": layer_phrase(result.layers[most]),
        "high": with_minus(float(own[most]), 2),
    }
    if own[most] - own[least] < SMALL:
        code = N_(
            "No layer tells the occurrences of “{word}” apart: their mean cosine is {high} at "
            "{most}, and still {low} at {least}."
        )
    elif least > most:
        code = N_(
            "The occurrences of “{word}” drift apart: their mean cosine falls from {high} at "
            "{most} to {low} at {least}."
        )
    else:
        code = N_(
            "The occurrences of “{word}” come together: their mean cosine rises from {low} at "
            "{least} to {high} at {most}."
        )
    return Headline(Phrase(code, **values))


def _of_one(result: WordJourneyResult) -> Phrase:
    """What the first occurrence is nearest to, at first and at last."""
    if not result.neighbours.size:
        return NOTHING
    last = len(result.layers) - 1
    first, end = (int(result.neighbours[layer, 0, 0]) for layer in (0, last))
    values = {
        "word": result.word,
        "other": result.words[end].word,
        "cosine": with_minus(float(result.cosines[last, 0, 0]), 2),
    }
    if first == end:
        return Phrase(
            N_(
                "“{word}” stays nearest to “{other}” from the embeddings to the last layer, where "
                "their cosine is {cosine}."
            ),
            **values,
        )
    return Phrase(
        N_(
            "“{word}” moves from “{first}”, its nearest word in the embeddings, to “{other}” in "
            "the last layer (cosine {cosine})."
        ),
        first=result.words[first].word,
        **values,
    )
