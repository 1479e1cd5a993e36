"""He or she: the only word of a text that tells of a man or a woman tells of the other."""

from collections.abc import Sequence

from explorer.world.language import english
from explorer.world.tables import NAMES, PEOPLE

TOLD = frozenset(english.words("he she him his her hers himself herself"))
NAMED = frozenset(name.casefold() for group in NAMES.values() for _weight, name in group) | {
    first.casefold() for first, _last, _who, _job in PEOPLE
}
ENDS = frozenset(english.words("a an the in on at with to for by and but so because then"))
"""After "her" these begin something else: it is no possessive there."""


def gendered(words: Sequence[str], at: int) -> tuple[str, ...]:
    """The pronoun of the other sex; none where another word would contradict it."""
    word = words[at]
    told = [n for n, one in enumerate(words) if one in TOLD or one in NAMED]
    if word not in TOLD or told != [at]:
        return ()
    if word == "her":
        after = words[at + 1] if at + 1 < len(words) else ""
        return ("him",) if not after or after in ENDS else ("his",)
    known = {"he": "she", "she": "he", "him": "her", "his": "her"}
    return (known[word],) if word in known else ()
