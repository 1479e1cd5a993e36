"""Moves a sentence in time: "cooked" becomes "will cook", "cooks" becomes "cooked"."""

from collections.abc import Sequence

from explorer.questions.cause.edits.rules.verbs import PAST, PRESENT, is_verb
from explorer.world.language import english

FORMS = {
    "is": "was",
    "are": "were",
    "am": "was",
    "was": "is",
    "were": "are",
    "has": "had",
    "does": "did",
}


def moved_in_time(words: Sequence[str], at: int) -> tuple[str, ...]:
    """The verb in another tense: it is the only one that has to change."""
    word = words[at]
    if word in FORMS:
        first_person = word == "was" and at > 0 and words[at - 1] == "i"
        return ("am",) if first_person else (FORMS[word],)
    if word in PAST and is_verb(words, at):
        return (f"will {PAST[word]}",)
    if word in PRESENT and is_verb(words, at):
        return (english.past(PRESENT[word]),)
    return ()
