"""Which tokens run from the right, and which from the left.

A whole sentence is ordered by Unicode's bidirectional algorithm when it is drawn as one text;
tokens are drawn one by one, so their order is found here, by the same rules for words: a text
begins where its first letter says; a word of the other direction turns around together with its
neighbours of that direction; a number goes with the word before it; what has no direction of its
own (a sign, a typed mask) goes with the words around it where they agree, else with the text.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from explorer.ui.sentence.pieces import Piece, run_from_right

RIGHT, LEFT, NUMBER, NEUTRAL = "right", "left", "number", "neutral"
_LETTERS = {"L": LEFT, "R": RIGHT, "AL": RIGHT}
_DIGITS = frozenset({"EN", "AN"})


class TextDirections:
    """The directions of a strip's tokens.

    Attributes:
        from_right: Texts (0 and 1) that begin at the right.
        leftward: Pieces of words that take their turn from the right.
        numbers: The pieces of each number among them, by its pieces: its digits are read from the
            left, wherever it stands.
    """

    def __init__(self, pieces: Sequence[Piece], words: Sequence[Sequence[int]]) -> None:
        self._pieces = pieces
        own = [p for p in pieces if not p.special]
        self.from_right = frozenset(
            part for part in {p.part for p in own} if run_from_right(own, part)
        )
        directions = [direction_of([pieces[i] for i in word]) for word in words]
        strong_right = any(one == RIGHT for one in directions)
        leftward: set[int] = set()
        self.numbers: dict[int, Sequence[int]] = {}
        if strong_right:
            resolved = zip(words, directions, self._resolved(words, directions), strict=True)
            for word, direction, runs_left in resolved:
                if runs_left:
                    leftward.update(word)
                    if direction == NUMBER:
                        self.numbers |= dict.fromkeys(word, word)
        self.leftward = frozenset(leftward)

    @property
    def any_from_right(self) -> bool:
        """Whether anything runs from the right at all."""
        return bool(self.leftward)

    def begins_right(self, index: int) -> bool:
        """Whether a piece is in a text that begins at the right."""
        return self._pieces[index].part in self.from_right

    def runs_left(self, index: int) -> bool:
        """Whether a piece's word runs from the right."""
        return index in self.leftward

    def in_sight(self, line: Sequence[int]) -> Iterator[list[int]]:
        """Groups of one direction in a line, in the order in which the line is read."""
        group: list[int] = []
        for index in line:
            if group and self.runs_left(index) != self.runs_left(group[-1]):
                yield group
                group = []
            group.append(index)
        if group:
            yield group

    def as_seen(self, group: Sequence[int]) -> list[int]:
        """The pieces of a group in the order in which they stand, from its beginning."""
        seen = list(group)
        for number, index in enumerate(group):
            word = self.numbers.get(index, ())
            if word and (number == 0 or group[number - 1] not in word):
                here = [one for one in word if one in group]
                seen[number : number + len(here)] = here[::-1]
        return seen

    def _resolved(
        self, words: Sequence[Sequence[int]], directions: Sequence[str]
    ) -> Iterator[bool]:
        """For every word whether it runs from the right."""
        known = list(directions)
        for number, word in enumerate(words):
            if known[number] == NUMBER:
                before = known[number - 1] if number else NEUTRAL
                alike = number > 0 and self._same_text(words[number - 1], word)
                base = RIGHT if self.begins_right(word[0]) else LEFT
                known[number] = before if alike and before in (LEFT, RIGHT) else base
        for number, word in enumerate(words):
            if known[number] in (LEFT, RIGHT):
                yield known[number] == RIGHT
                continue
            base = RIGHT if self.begins_right(word[0]) else LEFT
            around = {self._strong(words, known, number, step) or base for step in (-1, 1)}
            yield (around.pop() if len(around) == 1 else base) == RIGHT

    def _strong(
        self, words: Sequence[Sequence[int]], known: Sequence[str], number: int, step: int
    ) -> str | None:
        """The direction of the nearest word that has one, on one side, in the same text."""
        at = number + step
        while 0 <= at < len(words) and self._same_text(words[at], words[number]):
            if known[at] in (LEFT, RIGHT):
                return known[at]
            at += step
        return None

    def _same_text(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Whether two words are of one text; what the model adds stands between texts."""
        first, second = self._pieces[one[0]], self._pieces[other[0]]
        return first.part == second.part and not (first.special or second.special)


def direction_of(word: Sequence[Piece]) -> str:
    """The direction of a word by itself."""
    if word[0].special:
        return NEUTRAL
    text = "".join(piece.text for piece in word)
    kinds = [unicodedata.bidirectional(one) for one in text]
    strong = next((_LETTERS[kind] for kind in kinds if kind in _LETTERS), None)
    if strong is not None:
        return strong
    return NUMBER if any(kind in _DIGITS for kind in kinds) else NEUTRAL
