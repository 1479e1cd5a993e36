"""Another person: a first name becomes others that take the same pronoun."""

from collections.abc import Sequence
from typing import Final

from explorer.world.tables import NAMES, PEOPLE

MOST: Final = 3
"""Names that are put, the commonest first."""
LAST: Final = frozenset(last.casefold() for _first, last, _who, _job in PEOPLE)
_BY_SEX: Final = {
    who: [name for _weight, name in sorted(group, key=lambda one: -one[0])]
    for who, group in NAMES.items()
}
_SEX: Final = {name.casefold(): who for who, group in _BY_SEX.items() for name in group}


def names(words: Sequence[str], at: int) -> tuple[str, ...]:
    """Others that take the same pronoun; none for one with a last name, or that returns."""
    word = words[at]
    is_known = word in _SEX and words.count(word) == 1
    if not is_known or not LAST.isdisjoint(words[at + 1 : at + 2]):
        return ()
    others = [one for one in _BY_SEX[_SEX[word]] if one.casefold() != word]
    return tuple(others[:MOST])
