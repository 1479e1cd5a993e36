"""Verbs of the small world and the commonest irregular ones, by their forms."""

from collections.abc import Mapping, Sequence
from typing import Final

from explorer.world.language import english
from explorer.world.language.closed_classes import NO_VERB_AFTER
from explorer.world.tables import ACTIVITIES

_VERBS: Final = tuple(
    one
    for one in dict.fromkeys([*(one.verb for one in ACTIVITIES), *english.IRREGULAR_VERBS])
    if one not in ("be", "have", "do") and " " not in one
)
PAST: Final[Mapping[str, str]] = {
    english.past(one): one for one in _VERBS if english.past(one) != one
}
"""From the simple past to the base; verbs whose past is their base are left out."""
PRESENT: Final[Mapping[str, str]] = {english.present(one, "he"): one for one in _VERBS}
"""From the form of he, she and it to the base."""


def is_verb(words: Sequence[str], at: int) -> bool:
    """Whether a word can be the verb of its clause."""
    return at > 0 and words[at - 1] not in NO_VERB_AFTER
