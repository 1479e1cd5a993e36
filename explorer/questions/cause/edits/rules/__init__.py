"""Edits by rule: counterfactuals of English sentences, one idea a file.

A rule is given the words of a text in small letters and the number of one, and says what may be put
in its place, so that the sentence is still right; nothing where it can't.
"""

from collections.abc import Callable, Mapping, Sequence

from explorer.questions.cause.edits.rules.name import names
from explorer.questions.cause.edits.rules.negation import negated
from explorer.questions.cause.edits.rules.number import counted
from explorer.questions.cause.edits.rules.pronoun import gendered
from explorer.questions.cause.edits.rules.tense import moved_in_time

EditRule = Callable[[Sequence[str], int], tuple[str, ...]]

RULES: Mapping[str, EditRule] = {
    "negation": negated,
    "number": counted,
    "tense": moved_in_time,
    "pronoun": gendered,
    "name": names,
}
"""By what they change."""
EVERY_RULE = "every_rule"
SYNONYM = "synonym"
"""The one that goes by the model's vocabulary and not by grammar (`synonyms.py` beside)."""


def edits_by(rule: str, words: Sequence[str], at: int) -> tuple[tuple[str, str], ...]:
    """What may be put in the place of a word, each with the rule that says so.

    Args:
        rule: A name of `RULES`, or `EVERY_RULE`.
        words: Of the whole text, in small letters.
        at: The number of the word.
    """
    asked = RULES if rule == EVERY_RULE else {rule: RULES[rule]}
    return tuple((name, put) for name, one in asked.items() for put in one(words, at))
