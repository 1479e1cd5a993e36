"""A whole vocabulary: every piece with what it stands for and what it is in a word."""

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.hf.kept import kept
from explorer.hf.text.alone import Marks, kind_of, marks_of
from explorer.hf.text.vocabularies.pieces import glue, special_pieces
from explorer.text.pieces import dotted

AT_ONCE = 2_000
"""Pieces that are read between two looks whether to go on."""
MOST_KEPT = 3
"""Vocabularies that are kept once they are read."""
AN_ENTRY = 320
"""Bytes: a vocabulary of 250,000 pieces takes some 80 MB."""

_UNUSED = re.compile(
    r"madeupword\d+|[\[<]\|?(unused|special|reserved(_special)?(_token)?)[_-]?\d+\|?[\]>]"
)
"""Slots that were left free: "[unused7]" (BERT), "madeupword0002" (fairseq), "<special3>" (XLM)."""


class PieceRole(enum.StrEnum):
    """What a piece is in a word."""

    WORD = "word"
    CONTINUES = "continues"
    BEGINS = "begins"
    BYTES = "bytes"
    SPECIAL = "special"
    ADDED = "added"
    UNUSED = "unused"

    @property
    def is_text(self) -> bool:
        """It stands for something that a text may hold."""
        return self not in (PieceRole.SPECIAL, PieceRole.ADDED, PieceRole.UNUSED)


@dataclass(frozen=True, slots=True)
class VocabularyEntry:
    """A piece of a vocabulary.

    Attributes:
        id: Its number.
        piece: As the vocabulary has it: "##ing", "Ġthe".
        text: What it stands for, without a space before it: "ing", "the"; spaces where it is
            nothing else; "" for bytes that are no whole character.
        data: Those bytes, in hexadecimal digits: "ED 95"; else "".
        place: What it is in a word.
        size: Bytes that it stands for, a space before it included, where the vocabulary is one of
            bytes; else those of its text in UTF-8.
    """

    id: int
    piece: str
    text: str
    data: str
    place: PieceRole
    size: int

    @property
    def shown(self) -> str:
        """As a word, with dots where the rest of one would be: "…ing"; bytes as their digits."""
        return self.data or dotted(self.text, _GLUED.get(self.place, ""))


def entries(
    tokenizer: Any, check: Callable[[], None] = lambda: None
) -> tuple[VocabularyEntry, ...]:
    """Every piece of a vocabulary, in the order of their numbers.

    Args:
        tokenizer: A fast transformers tokenizer.
        check: Called now and then; may raise to stop.
    """
    return kept(
        "entries of a vocabulary",
        lambda: _read(tokenizer, check),
        of=tokenizer,
        most=MOST_KEPT,
        size=lambda every: AN_ENTRY * len(every),
    )


def _read(tokenizer: Any, check: Callable[[], None]) -> tuple[VocabularyEntry, ...]:
    special, marks = special_pieces(tokenizer), marks_of(tokenizer)
    named = frozenset(tokenizer.all_special_tokens)
    found = []
    pieces = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    for at, (piece, number) in enumerate(pieces):
        if at % AT_ONCE == 0:
            check()
        # XLM's mask token is called as its free slots are.
        is_free = piece not in named and _UNUSED.fullmatch(piece) is not None
        place = PieceRole.UNUSED if is_free else PieceRole.SPECIAL if piece in special else None
        found.append(_entry(tokenizer, marks, piece, number, place))
    return tuple(found)


def _entry(
    tokenizer: Any, marks: Marks, piece: str, number: int, place: PieceRole | None
) -> VocabularyEntry:
    kind = kind_of(marks, piece, number)
    text = (kind.written.strip() or kind.written) if kind.written else ""
    size = len(piece) if marks.in_bytes and not kind.added else len(text.encode("utf-8"))
    if place is not None:
        pass
    elif kind.unknown:
        place = PieceRole.SPECIAL
    elif kind.added:
        place = PieceRole.ADDED
    elif kind.data:
        place = PieceRole.BYTES
    elif text.isspace():
        place = PieceRole.WORD
    else:
        place = _PLACES[glue(tokenizer, piece, text=text)]
    if not place.is_text:
        return VocabularyEntry(number, piece, piece, "", place, len(piece.encode("utf-8")))
    return VocabularyEntry(number, piece, "" if kind.data else text, kind.data, place, size)


_PLACES = {"": PieceRole.WORD, "before": PieceRole.CONTINUES, "after": PieceRole.BEGINS}
_GLUED = {PieceRole.CONTINUES: "before", PieceRole.BEGINS: "after"}
