"""Says the opposite: "is" becomes "is not", "cooked" becomes "did not cook"."""

from collections.abc import Sequence

from explorer.questions.cause.edits.rules.verbs import PAST, PRESENT, is_verb
from explorer.world.language.closed_classes import AUXILIARIES

MARKS = frozenset(".?!")


def negated(words: Sequence[str], at: int) -> tuple[str, ...]:
    """The verb, denied; none that is denied already, or in a question."""
    word = words[at]
    ends = next((one for one in words[at:] if one in MARKS), "")
    if "not" in words[at + 1 : at + 3] or at == 0 or ends == "?":
        return ()
    if word in AUXILIARIES:
        return (f"{word} not",)
    if word in PAST and is_verb(words, at):
        return (f"did not {PAST[word]}",)
    if word in PRESENT and is_verb(words, at):
        return (f"does not {PRESENT[word]}",)
    return ()
