"""He or she: the only word of a text that tells of a man or a woman tells of the other."""

from collections.abc import Sequence

from explorer.world.language.closed_classes import AFTER_OBJECTS, GENDERED
from explorer.world.tables import NAMES, PEOPLE

NAMED = frozenset(name.casefold() for group in NAMES.values() for _weight, name in group) | {
    first.casefold() for first, _last, _who, _job in PEOPLE
}


def gendered(words: Sequence[str], at: int) -> tuple[str, ...]:
    """The pronoun of the other sex; none where another word would contradict it."""
    word = words[at]
    told = [n for n, one in enumerate(words) if one in GENDERED or one in NAMED]
    if word not in GENDERED or told != [at]:
        return ()
    if word == "her":
        after = words[at + 1] if at + 1 < len(words) else ""
        return ("him",) if not after or after in AFTER_OBJECTS else ("his",)
    known = {"he": "she", "she": "he", "him": "her", "his": "her"}
    return (known[word],) if word in known else ()
