"""What the token strip draws: tokens of a model, or plain words while there is no model."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from explorer.api.question import EVERY, LeftOut, Token, mask_of
from explorer.document import Document, Mask, carried
from explorer.text import _, ngettext
from explorer.text.bidi import runs_from_right
from explorer.text.pieces import readable, visible

_WORD = re.compile(r"\[MASK\]|\w+(?:['’]\w+)*|[^\w\s]")


@dataclass(frozen=True)
class Piece:
    """One thing in the strip.

    Attributes:
        text: As a person reads it; what is under a mask, where masked.
        start: First character in the document's text.
        end: One past the last.
        part: 0 for the text, 1 for the second text.
        position: The token's index in the model's input; None for a plain word.
        piece: As the tokenizer writes it; "" for a plain word.
        id: Its number in the vocabulary; None for a plain word.
        special: Added by the model.
        masked: The model sees a mask here.
        typed: A mask the user typed; nothing is under it.
        unknown: The vocabulary has no piece for it.
        joined: Continues the word before it.
        nth: Which of the tokens over the same characters it is; EVERY where it has its own.
    """

    text: str
    start: int
    end: int
    part: int = 0
    position: int | None = None
    piece: str = ""
    id: int | None = None
    special: bool = False
    masked: bool = False
    typed: bool = False
    unknown: bool = False
    joined: bool = False
    nth: int = EVERY

    @property
    def can_mask(self) -> bool:
        """Whether the user may mask it."""
        return not self.special and self.end > self.start

    @property
    def place(self) -> tuple[int | None, int, int, int]:
        """What stays when it is masked: where it is in the input and in the text."""
        return self.position, self.part, self.start, self.end

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        parts = [self.text or "mask"]
        if self.masked:
            parts.append(_("typed mask") if self.typed else _("masked"))
        if self.special:
            parts.append(_("special token"))
        if self.unknown:
            parts.append(_("not in the vocabulary"))
        if self.joined:
            parts.append(_("continues the word before"))
        if self.part == 1:
            parts.append(_("second text"))
        return ", ".join(parts)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


def as_read(token: Token, document: Document | None) -> str:
    """The piece where it spells the user's characters, else those characters."""
    clean = readable(token.text)
    if document is None or token.special:
        return "" if token.masked and token.original is not None else clean
    characters = document.part(token.part)[token.start : token.end]
    if token.masked and token.original is None:
        return ""
    if token.masked or token.unknown:
        return visible(characters) if characters else clean
    if not characters or clean == visible(" ") or _plain(characters.strip()) == _plain(clean):
        return clean
    return visible(characters)


def pieces_of_tokens(
    tokens: Sequence[Token], document: Document | None = None
) -> tuple[Piece, ...]:
    """Pieces for a model's tokens; with the document they show its characters.

    Tokens that are bytes of one and the same letter say which of its parts they are.

    Args:
        tokens: A model's input.
        document: Whose characters are shown; None for the pieces as the vocabulary has them.
    """
    parts = _parts_of_letters(tokens)
    shared = _sharing(tokens)
    return tuple(
        Piece(
            text=as_read(token, document) + parts.get(position, ""),
            start=token.start,
            end=token.end,
            part=token.part,
            position=position,
            piece=token.text,
            id=token.id,
            special=token.special,
            masked=token.masked,
            typed=token.masked and token.original is None,
            unknown=token.unknown,
            joined=token.joined,
            nth=mask_of(tokens, position).nth if position in shared else EVERY,
        )
        for position, token in enumerate(tokens)
    )


def _sharing(tokens: Sequence[Token]) -> frozenset[int]:
    """Positions of tokens that have a character with a neighbour in common."""
    own = [i for i, token in enumerate(tokens) if not token.special and token.start < token.end]
    return frozenset(
        position
        for one, other in pairwise(own)
        if tokens[one].part == tokens[other].part and tokens[other].start < tokens[one].end
        for position in (one, other)
    )


def _parts_of_letters(tokens: Sequence[Token]) -> dict[int, str]:
    """By position: " 2/3" for the second of three tokens that are one letter together."""
    alike: dict[tuple[int, int, int], list[int]] = {}
    for position, token in enumerate(tokens):
        # A space alone, before a letter that is a piece of its own, is no part of it.
        is_space = readable(token.text) == visible(" ")
        if token.end > token.start and not token.special and not is_space:
            alike.setdefault((token.part, token.start, token.end), []).append(position)
    return {
        position: f" {number}/{len(positions)}"
        for positions in alike.values()
        if len(positions) > 1
        for number, position in enumerate(positions, 1)
    }


def token_labels(tokens: Sequence[Token], document: Document | None) -> tuple[str, ...]:
    """Tokens as labels of rows and columns.

    Args:
        tokens: A model's input.
        document: Whose characters are shown; None for the pieces as the vocabulary has them.
    """
    pieces = pieces_of_tokens(tokens, document)
    return tuple("[MASK]" if piece.masked else piece.text for piece in pieces)


class InText(Protocol):
    """What is laid out: a token, or a word of several."""

    @property
    def text(self) -> str:
        """As a person reads it."""

    @property
    def part(self) -> int:
        """0 for the text, 1 for the second text."""

    @property
    def special(self) -> bool:
        """Added by the model."""

    @property
    def joined(self) -> bool:
        """Continues the word before it."""


def run_from_right(pieces: Sequence[InText], part: int = 0) -> bool:
    """Whether a text's pieces run from the right: its first letter says, whatever is masked."""
    return runs_from_right(" ".join(p.text for p in pieces if p.part == part and not p.special))


def starts_at_right(tokens: Sequence[Token], document: Document | None) -> bool:
    """Whether the first token of a row stands at the right, as in the strip."""
    return run_from_right(pieces_of_tokens(tokens, document))


def of_words(document: Document) -> tuple[Piece, ...]:
    """Pieces for the words of a document, found without any tokenizer."""
    found: list[Piece] = []
    for part, text in enumerate((document.text, document.pair or "")):
        for match in _WORD.finditer(text):
            typed = match.group() == "[MASK]"
            found.append(
                Piece(
                    text="" if typed else match.group(),
                    start=match.start(),
                    end=match.end(),
                    part=part,
                    masked=typed or document.is_masked(match.start(), match.end(), part),
                    typed=typed,
                )
            )
    return tuple(found)


def with_masks(pieces: Sequence[Piece], document: Document) -> tuple[Piece, ...]:
    """The same pieces, masked where the document is now."""
    return tuple(
        replace(piece, masked=document.is_masked(piece.start, piece.end, piece.part, piece.nth))
        if piece.can_mask and not piece.typed
        else piece
        for piece in pieces
    )


def same_piece(
    before: Sequence[Piece],
    index: int,
    pieces: Sequence[Piece],
    written: Document | None,
    document: Document | None,
) -> int | None:
    """Where a piece is among other ones: of another model, or of an edited text.

    Args:
        before: The pieces that it was one of.
        index: Which of them.
        pieces: The pieces of now.
        written: The document that it was a piece of.
        document: The document of now.

    Returns:
        The piece that holds most of its characters; None where an edit took them away.
    """
    held = before[index]
    alike = [i for i, p in enumerate(pieces) if (p.part, p.special) == (held.part, held.special)]
    if held.special:
        nth = sum(p.special and p.part == held.part for p in before[:index])
        return alike[nth] if nth < len(alike) else None
    place: Mask | None = Mask(held.start, held.end, held.part)
    if place is not None and written is not None and document is not None:
        place = carried(place, written, document, rewritten=True)
    if place is None:
        return None
    shared = {i: min(pieces[i].end, place.end) - max(pieces[i].start, place.start) for i in alike}
    best = max(shared, key=shared.__getitem__, default=None)
    return best if best is not None and shared[best] > 0 else None


def words_left_out(left_out: LeftOut | None, document: Document | None, limit: int = 40) -> str:
    """The first words the model does not see, at most `limit` of them."""
    if left_out is None or document is None:
        return ""
    words = document.part(left_out.part)[left_out.start :].split()
    return " ".join(words[:limit]) + (" …" if len(words) > limit else "")


def tail_note(left_out: LeftOut | None, document: Document | None) -> str:
    """The note on what the model does not see; "" where it sees all."""
    if left_out is None:
        return ""
    note = ngettext(
        "not seen by the model: {count} token",
        "not seen by the model: {count} tokens",
        left_out.tokens,
    )
    words = words_left_out(left_out, document, limit=8)
    return f"{note} — {words}" if words else note


def first_of(pieces: Sequence[Piece], start: int, end: int, part: int) -> int | None:
    """The first piece that touches some characters; None for none."""
    for index, piece in enumerate(pieces):
        if piece.part == part and piece.start < end and start < piece.end:
            return index
    return None


def tooltip(piece: Piece) -> str:
    """What is known of a piece, as lines of plain text."""
    lines = []
    if piece.piece:
        lines.append(_("Piece: {piece}", piece=piece.piece))
    if piece.masked and piece.text:
        lines.append(_("Hidden word: {text}", text=piece.text))
    if not piece.piece and not piece.masked:
        lines.append(piece.text)
    if piece.id is not None and piece.id >= 0:
        # A model that reads from the left has no piece for what is masked.
        lines.append(_("Id: {id}", id=str(piece.id)))
    if piece.position is not None:
        lines.append(_("Position: {position}", position=piece.position))
    if piece.end > piece.start:
        places = {"start": piece.start, "end": piece.end}
        lines.append(
            _("Characters: {start} to {end} of the second text", **places)
            if piece.part
            else _("Characters: {start} to {end} of the text", **places)
        )
    if piece.special:
        lines.append(_("Special token: added by the model, not in your text."))
    if piece.unknown:
        lines.append(_("Unknown: the vocabulary has no piece for these characters."))
    if piece.joined:
        lines.append(_("Continues the word of the token before it."))
    if piece.typed:
        lines.append(_("You typed this mask. Press Enter to put a word here."))
    elif piece.can_mask:
        lines.append(
            _("Click to unmask.") if piece.masked else _("Click to mask, double-click to edit.")
        )
    return "\n".join(lines)


def span_of(pieces: Sequence[Piece], first: int, last: int) -> tuple[int, int, int] | None:
    """Characters (start, end, part) of the pieces between two, in one text.

    The text is the first one's; pieces of the other text and special ones do not count.
    """
    part = pieces[first].part
    low, high = min(first, last), max(first, last)
    inside = [p for p in pieces[low : high + 1] if p.can_mask and p.part == part]
    if not inside:
        return None
    return min(p.start for p in inside), max(p.end for p in inside), part


def word_of(pieces: Sequence[Piece], index: int) -> tuple[int, int]:
    """First and last index of the word a piece belongs to."""
    first = last = index
    while first > 0 and pieces[first].joined:
        first -= 1
    while last + 1 < len(pieces) and pieces[last + 1].joined:
        last += 1
    return first, last
