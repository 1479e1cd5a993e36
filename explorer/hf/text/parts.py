"""One of the texts a model reads, cut into tokens that know their characters and their masks."""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from explorer.api.family import Token, Unavailable
from explorer.api.question import EVERY
from explorer.document import MASK_LITERAL, Mask
from explorer.hf.text.vocabularies.pieces import special_pieces
from explorer.text import N_
from explorer.text.pieces import WORD_MARKS
from explorer.text.printable import without_surrogates

JOINERS = frozenset("\u200d\ufe0e\ufe0f")
"""Characters that belong to the one before them, as combining marks do."""

FIRST_MARK = "\u0300"
"""No character before it is a mark, and nearly all of a text in Latin letters is before it."""


class CutText(Protocol):
    """A text cut into pieces, as a tokenizers.Encoding has it."""

    @property
    def ids(self) -> list[int]:
        """Numbers in the vocabulary."""

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """First character of each piece and one past its last."""

    def token_to_word(self, index: int, /) -> int | None:
        """Which word of the text a piece belongs to."""


@dataclass(frozen=True)
class MaskPiece:
    """What stands in the input where a token is masked.

    Attributes:
        text: As the tokenizer writes it.
        id: Its number in the vocabulary; -1 where nothing of the vocabulary stands there.
    """

    text: str
    id: int


class TextPart:
    """One of the texts, cut into tokens that are described only when they are kept."""

    def __init__(
        self,
        tokenizer: Any,
        text: str,
        number: int,
        masks: Sequence[Mask],
        mask: MaskPiece | None,
        cut: Callable[[str, int], CutText] | None,
    ) -> None:
        self._tokenizer = tokenizer
        self._text = text
        self._number = number
        self._mask = mask
        own = [m for m in masks if m.part == number and m.start < m.end]
        if self._mask is None and (own or MASK_LITERAL in text):
            raise Unavailable(
                N_("This model's tokenizer has no mask token, so nothing can be masked.")
            )
        self.readable, self._moves = _with_own_mask(text, mask.text if mask else None)
        self._cut: CutText = (
            cut(self.readable, number)
            if cut is not None
            else tokenizer.backend_tokenizer.encode(self.readable, add_special_tokens=False)
        )
        self._ids = self._cut.ids
        self.places = self._cut.offsets
        self._name_of = tokenizer.backend_tokenizer.id_to_token
        self._hidden = frozenset(at for m in own for at in self._touched(m))

    def __len__(self) -> int:
        return len(self._ids)

    def start_of(self, index: int) -> int:
        """First character of a token."""
        return self._offset(index)[0]

    def masks_from(self, index: int) -> int:
        """Number of masked tokens from an index on."""
        mask = self._mask.id if self._mask is not None else None
        typed: int = sum(number == mask for number in self._ids[index:])
        hidden: int = sum(at >= index and self._ids[at] != mask for at in self._hidden)
        return typed + hidden

    def tokens(self, count: int) -> Iterable[Token]:
        """Describe the first tokens."""
        special = special_pieces(self._tokenizer)
        unknown = self._tokenizer.unk_token_id
        mask = self._mask
        before: Token | None = None
        word_before: int | None = None
        for i in range(count):
            start, end = self._offset(i)
            number = self._ids[i]
            typed_mask = mask is not None and number == mask.id
            # Unigram's own encoding gives the characters of an unknown piece, not its name.
            piece = mask.text if mask is not None and typed_mask else str(self._name_of(number))
            word = self._cut.token_to_word(i)
            typed = piece in special and self._text[start:end].strip() == piece
            token = Token(
                piece,
                number,
                start,
                end,
                special=False,
                part=self._number,
                masked=typed_mask,
                unknown=number == unknown and not typed,
                joined=(
                    before is not None
                    and word is not None
                    and word == word_before
                    and start <= before.end
                ),
                reserved=typed and not typed_mask,
            )
            if mask is not None and not typed_mask and i in self._hidden:
                token = replace(
                    token,
                    text=mask.text,
                    id=mask.id,
                    masked=True,
                    original=number,
                    unknown=False,
                    reserved=False,
                )
            before, word_before = token, word
            yield token

    def _touched(self, mask: Mask) -> list[int]:
        """The tokens that a mask hides: those that share a character with it, or one of them.

        A space before a word that is a token of its own shares the characters of the word's first
        token. Where it has characters too, a mask of these alone hides it alone.
        """
        first = bisect_right(range(len(self)), mask.start, key=lambda i: self._own_offset(i)[1])
        touched = []
        for i in range(first, len(self)):
            if self._own_offset(i)[0] >= mask.end:
                break
            touched.append(i)
        if touched and not mask.letters and first > 0 and self._is_lone_space(first - 1):
            touched.insert(0, first - 1)
        return touched if mask.nth == EVERY else touched[mask.nth : mask.nth + 1] or touched

    def _is_lone_space(self, index: int) -> bool:
        """Whether a token is the space before the word that the next one begins, and no more."""
        number = self._ids[index]
        # What stands for a mask may be no piece of the vocabulary, and has no number then.
        if number < 0 or index + 1 >= len(self) or self._name_of(number) not in WORD_MARKS:
            return False
        start, end = self.places[index]
        word = self._cut.token_to_word(index)
        return (
            self.readable[start:end].strip() == ""
            and self.places[index + 1][0] == end
            and not self.readable[end : end + 1].isspace()
            and word is not None
            and word == self._cut.token_to_word(index + 1)
        )

    def _offset(self, index: int) -> tuple[int, int]:
        """A token's characters in the text as the user typed it.

        The space before a word, where it is a token of its own, has those of the word's first
        token, whatever the tokenizer says: the space, or none, or the first letter.
        """
        return self._own_offset(index + 1 if self._is_lone_space(index) else index)

    def _own_offset(self, index: int) -> tuple[int, int]:
        """A token's characters by its tokenizer, in the user's text, without spaces around a word.

        Tokenizers count some spaces to the word behind them; and marks that the tokenizer drops
        (accents of uncased models) belong to the character they stand on.
        """
        text, places = self._text, self.places
        start, end = places[index]
        if self._moves:
            start, end = self._moved(start), self._moved(end)
        while start < end - 1 and text[start].isspace():
            start += 1
        while end - 1 > start and text[end - 1].isspace():
            end -= 1
        if start < end < len(text) and leans_back(text[end]):
            last = index + 1 == len(places)
            following = len(text) if last else self._moved(places[index + 1][0])
            while end < following and leans_back(text[end]):
                end += 1
        return start, end

    def _moved(self, place: int) -> int:
        """A place in the tokenizer's text as a place in the user's."""
        shift = 0
        for start, end, longer in self._moves:
            if place <= start:
                break
            if place < end:
                return start + shift
            shift -= longer
        return place + shift


def leans_back(character: str) -> bool:
    """Whether a character is drawn on or with the one before it, as accents are."""
    if character < FIRST_MARK:
        return False
    return unicodedata.category(character) in ("Mn", "Me") or character in JOINERS


def _with_own_mask(text: str, mask: str | None) -> tuple[str, list[tuple[int, int, int]]]:
    """The text with the tokenizer's own mask token for every [MASK].

    Returns:
        The text, and where it was changed: start and end of the mask in the new text, and how
        much longer than [MASK] it is. Lone surrogates, which no tokenizer takes, become U+FFFD.
    """
    text = without_surrogates(text)
    if mask is None or mask == MASK_LITERAL or MASK_LITERAL not in text:
        return text, []
    longer = len(mask) - len(MASK_LITERAL)
    moves: list[tuple[int, int, int]] = []
    pieces = text.split(MASK_LITERAL)
    place = 0
    for piece in pieces[:-1]:
        place += len(piece)
        moves.append((place, place + len(mask), longer))
        place += len(mask)
    return mask.join(pieces), moves
