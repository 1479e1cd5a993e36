"""What to look at first: a word whose nearest places are mostly another word."""

from collections import Counter
from typing import Any

from explorer.api.question import Headline, alone, beyond
from explorer.questions.layers.contexts.question import ContextsResult
from explorer.text import N_, Phrase
from explorer.text.pieces import readable

HALF = 0.5
"""Share of the places from which another word is most of them."""


def headline(result: ContextsResult, **_settings: Any) -> Headline:
    """The word that is most nearly taken for one other word."""
    best: tuple[float, int, str, int] | None = None
    for one in result.nearest:
        words = Counter(place.word.casefold() for place in one.places)
        own = readable(result.tokens[one.position].text).strip().casefold()
        others = [(count, word) for word, count in words.items() if own not in word]
        count, word = max(others, default=(0, ""))
        share = count / max(1, len(one.places))
        if word[:1].isalpha() and share > HALF and (best is None or share > best[0]):
            best = (share, one.position, word, count)
    if best is None:
        return Headline()
    share, position, word, count = best
    sentence = Phrase(
        N_("The places nearest to “{word}” are mostly “{other}”: {count} of {all}."),
        word=alone(result.tokens[position]),
        other=word,
        count=count,
        all=len(result.at(position).places),  # type: ignore[union-attr]
    )
    return Headline(sentence, position, strength=beyond(share, HALF, 1.0))
