"""One or several: "the flower" becomes "the flowers", where no verb has to agree with it."""

from collections.abc import Sequence
from typing import Final

from explorer.questions.cause.edits.rules.verbs import PRESENT
from explorer.world.language import english
from explorer.world.language.closed_classes import AGREEING_VERBS, POSSESSIVES
from explorer.world.tables import ACTIVITIES

AGREEING = frozenset((*AGREEING_VERBS, *PRESENT, *PRESENT.values()))
"""Verbs that would have to change with their subject, after it or, in questions, before it."""
_NOUNS: Final = tuple(
    noun
    for noun in dict.fromkeys(
        word
        for one in ACTIVITIES
        for word in (one.job, *(word for _weight, word in (*one.objects, *one.tools)))
    )
    if " " not in noun and english.plural(noun) != noun
)
PLURALS: Final = {noun: english.plural(noun) for noun in _NOUNS}
SINGULARS: Final = {plural: noun for noun, plural in PLURALS.items()}


def counted(words: Sequence[str], at: int) -> tuple[str, ...]:
    """The noun in the other number."""
    word = words[at]
    around = (*words[max(0, at - 2) : max(0, at - 1)], *words[at + 1 : at + 2])
    if at == 0 or words[at - 1] not in POSSESSIVES or not AGREEING.isdisjoint(around):
        return ()
    other = PLURALS.get(word) or SINGULARS.get(word)
    return (other,) if other else ()
