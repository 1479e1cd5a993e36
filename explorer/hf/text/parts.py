"""One of the texts a model reads, cut into tokens that know their characters and their masks."""

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from explorer.api import Token, Unavailable
from explorer.api.tokens import EVERY
from explorer.document import MASK_LITERAL, Mask
from explorer.hf.text.vocabularies.pieces import special_pieces
from explorer.text import N_
from explorer.text.printable import without_surrogates

JOINERS = frozenset("\u200d\ufe0e\ufe0f")
"""Characters that belong to the one before them, as combining marks do."""

FIRST_MARK = "\u0300"
"""No character before it is a mark, and nearly all of a text in Latin letters is before it."""


class Cut(Protocol):
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


class Part:
    """One of the texts, cut into tokens that are described only when they are kept."""

    def __init__(
        self,
        tokenizer: Any,
        text: str,
        number: int,
        masks: Sequence[Mask],
        mask: MaskPiece | None,
        cut: Callable[[str, int], Cut] | None,
    ) -> None:
        self._tokenizer = tokenizer
        self._text = text
        self._number = number
        self._mask = mask
        own = [m for m in masks if m.part == number and m.start < m.end]
        self._starts, self._ends = _merged(sorted((m.start, m.end) for m in own if m.nth == EVERY))
        if self._mask is None and (own or MASK_LITERAL in text):
            raise Unavailable(
                N_("This model's tokenizer has no mask token, so nothing can be masked.")
            )
        self.readable, self._moves = _with_own_mask(text, mask.text if mask else None)
        self._cut: Cut = (
            cut(self.readable, number)
            if cut is not None
            else tokenizer.backend_tokenizer.encode(self.readable, add_special_tokens=False)
        )
        self._ids = self._cut.ids
        self.places = self._cut.offsets
        self._chosen = frozenset(
            at for m in own if m.nth != EVERY for at in self._only(m.start, m.end, m.nth)
        )

    def __len__(self) -> int:
        return len(self._ids)

    def start_of(self, index: int) -> int:
        """First character of a token."""
        return self._offset(index)[0]

    def masks_from(self, index: int) -> int:
        """Number of masked tokens from an index on."""
        mask = self._mask.id if self._mask is not None else None
        count: int = sum(number == mask for number in self._ids[index:])
        ends = [end for _, end in self.places]
        seen = index
        for start, end in zip(self._starts, self._ends, strict=True):
            seen = max(seen, bisect_left(ends, start))
            while seen < len(ends) and self._offset(seen)[0] < end:
                count += self._ids[seen] != mask and self._touched(*self._offset(seen))
                seen += 1
        for at in self._chosen:
            alone = at >= index and not self._touched(*self._offset(at))
            count += alone and self._ids[at] != mask
        return count

    def tokens(self, count: int) -> Iterable[Token]:
        """Describe the first tokens."""
        special = special_pieces(self._tokenizer)
        unknown = self._tokenizer.unk_token_id
        name_of = self._tokenizer.backend_tokenizer.id_to_token
        mask = self._mask
        before: Token | None = None
        word_before: int | None = None
        for i in range(count):
            start, end = self._offset(i)
            number = self._ids[i]
            typed_mask = mask is not None and number == mask.id
            # Unigram's own encoding gives the characters of an unknown piece, not its name.
            piece = mask.text if mask is not None and typed_mask else str(name_of(number))
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
            hidden = i in self._chosen or self._touched(start, end)
            if mask is not None and not typed_mask and hidden:
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

    def _only(self, start: int, end: int, nth: int) -> list[int]:
        """The n-th of the tokens that share a character with a range; all, if there are fewer."""
        places = ((i, self._offset(i)) for i in range(len(self)))
        touched = [i for i, (first, last) in places if first < end and start < last]
        return touched[nth : nth + 1] or touched

    def _touched(self, start: int, end: int) -> bool:
        """Whether a masked range shares a character with a token."""
        if not self._starts:
            return False
        at = bisect_left(self._ends, start + 1)
        return at < len(self._starts) and self._starts[at] < end

    def _offset(self, index: int) -> tuple[int, int]:
        """A token's characters in the text as the user typed it, without the spaces around a word.

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


def _merged(ranges: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Starts and ends of ranges, those that overlap as one; both lists grow."""
    starts: list[int] = []
    ends: list[int] = []
    for start, end in ranges:
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


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
