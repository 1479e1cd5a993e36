"""What an attribution is of, for its methods and for its reader."""

from dataclasses import dataclass

from explorer.api.question import Encoded
from explorer.attribution.explained import ExplainedAnswer
from explorer.questions.cause.attribution.question import Explanandum
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class Meant:
    """What is explained, for the methods and for the reader."""

    explained: ExplainedAnswer
    said: Explanandum
    notes: tuple[Phrase, ...] = ()


def word_at(encoded: Encoded, at: tuple[int, ...]) -> int | None:
    """The chosen position; None where none was chosen, or no word stands there (any more)."""
    place = next(iter(at), None)
    if place is None or place >= len(encoded.tokens) or encoded.tokens[place].special:
        return None
    return place


def gone(encoded: Encoded, at: tuple[int, ...]) -> tuple[Phrase, ...]:
    """What must be known where a place was chosen that is none of this text's."""
    if not at or word_at(encoded, at) is not None:
        return ()
    return (Phrase(N_("No word of this sentence is at position {place}."), place=at[0]),)
