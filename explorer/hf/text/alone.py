"""A tokenizer alone: which pieces it cuts a text into, and what each stands for, without a model.

Everything comes from the tokenizer's own encoding. What it leaves unsaid is put right here: the
space that "Ġthe" stands for and that some tokenizers leave out of its characters, the marks that
an uncased one drops with their letter, and bytes that are no whole character.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.hf.facts import kept_with
from explorer.hf.text.faults import cutting
from explorer.hf.text.parts import leans_back
from explorer.hf.text.vocabularies.pieces import SPACE, WORD_START, end_of_words, prefix_of_parts
from explorer.text.printable import without_surrogates

Places = NDArray[np.int32]


@dataclass(frozen=True)
class PieceKind:
    """A piece of a vocabulary.

    Attributes:
        text: As the vocabulary has it.
        id: Its number.
        written: The characters it stands for, a space before them included; "" for bytes that are
            no whole character.
        data: Those bytes, in hexadecimal digits: "ED 95"; "" for a piece of characters.
        unknown: It stands for what the vocabulary lacks.
        added: A token that is looked for before a text is cut.
    """

    text: str
    id: int
    written: str
    data: str
    unknown: bool
    added: bool


@dataclass(frozen=True)
class Alone:
    """A text in a tokenizer's pieces, without special tokens around it.

    Attributes:
        kinds: The pieces that stand in it, each once.
        which: For every piece in order its number in `kinds`.
        starts: First character of each.
        ends: One past its last; two pieces may share a character.
    """

    kinds: tuple[PieceKind, ...]
    which: Places
    starts: Places
    ends: Places

    @property
    def ids(self) -> list[int]:
        """Numbers in the vocabulary."""
        numbers = np.array([kind.id for kind in self.kinds], dtype=np.int64)
        return [int(one) for one in numbers[self.which]] if self.kinds else []


def algorithm_of(tokenizer: Any) -> str:
    """How it finds its pieces: "WordPiece", "byte-level BPE", "BPE", "unigram", or its own name."""
    backend = tokenizer.backend_tokenizer
    name = type(backend.model).__name__
    if name == "BPE" and is_byte_level(tokenizer):
        return "byte-level BPE"
    if name == "WordLevel" and end_of_words(tokenizer):
        return "BPE"  # cut by other means before it looks words up
    return "unigram" if name == "Unigram" else name


def is_byte_level(tokenizer: Any) -> bool:
    """Whether its pieces are written in the 256 letters that stand for bytes."""
    return "ByteLevel" in type(tokenizer.backend_tokenizer.decoder).__name__


def cut_alone(tokenizer: Any, text: str) -> Alone:
    """The pieces of a text.

    Args:
        tokenizer: A fast transformers tokenizer.
        text: Of any length; lone surrogates count as U+FFFD.
    """
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    readable = without_surrogates(text)
    # Unlike `encode`, which keeps all of Python waiting, this lets other threads go on.
    with cutting():
        (encoding,) = backend.encode_batch([readable], add_special_tokens=False)
    ids = np.asarray(encoding.ids, dtype=np.int64)
    numbers, found = np.unique(ids, return_inverse=True)
    kinds = tuple(_kind(tokenizer, int(number)) for number in numbers)
    offsets: Places = np.asarray(encoding.offsets, dtype=np.int32).reshape(-1, 2)
    starts: Places = offsets[:, 0].copy()
    ends: Places = offsets[:, 1].copy()
    which: Places = found.astype(np.int32).reshape(-1)
    if len(ids):
        _with_spaces(readable, kinds, which, starts, ends)
        _with_marks(readable, starts, ends)
    return Alone(kinds, which, starts, ends)


def _with_spaces(
    text: str, kinds: Sequence[PieceKind], which: Places, starts: Places, ends: Places
) -> None:
    """Let pieces that begin with a space begin at it, where their tokenizer left it out."""
    spaces, _ = _seen(text)
    begins = np.array([k.written[:1].isspace() and not k.added for k in kinds], dtype=bool)[which]
    alone = np.array([k.written == " " for k in kinds], dtype=bool)[which]
    before = np.concatenate(([0], ends[:-1]))
    # A space of several in a row may be said to stand nowhere.
    nowhere = alone & (starts == ends) & spaces[before]
    starts[nowhere], ends[nowhere] = before[nowhere], before[nowhere] + 1
    room = begins & (before < starts) & spaces[np.maximum(starts - 1, 0)] & ~spaces[starts]
    # SentencePiece's lone "▁" is said to stand on the piece behind it.
    ends[room & alone] = starts[room & alone]
    starts[room] -= 1


def _with_marks(text: str, starts: Places, ends: Places) -> None:
    """Let the marks that no piece stands for belong to the letter that they stand on."""
    _, leaning = _seen(text)
    following = np.concatenate((starts[1:], [len(text)]))
    for at in np.flatnonzero((ends > starts) & (following > ends) & leaning[ends]):
        end = int(ends[at])
        while end < following[at] and leaning[end]:
            end += 1
        ends[at] = end


@lru_cache(maxsize=2)
def _seen(text: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which characters are spaces, and which lean back; one more at the end, which is neither.

    Kept, because one text is cut by many tokenizers.
    """
    spaces = [character.isspace() for character in text]
    leaning = [not character.isascii() and leans_back(character) for character in text]
    return np.array([*spaces, False], dtype=bool), np.array([*leaning, False], dtype=bool)


@kept_with
def _kind(tokenizer: Any, number: int) -> PieceKind:
    text = str(tokenizer.backend_tokenizer.id_to_token(number))
    return kind_of(marks_of(tokenizer), text, number)


@dataclass(frozen=True)
class Marks:
    """How a tokenizer writes its pieces: what must be known to read them.

    Attributes:
        unknown: Number of the piece that stands for what the vocabulary lacks; None for none.
        added: Numbers of the tokens that are looked for before a text is cut.
        in_bytes: Pieces are written in the 256 letters that stand for bytes.
        prefix: What pieces begin with that go on with a word: "##"; "" for nothing.
        end: What pieces end with that end a word: "</w>"; "" for nothing.
        spaces: "▁" stands for a space.
    """

    unknown: int | None
    added: frozenset[int]
    in_bytes: bool
    prefix: str
    end: str
    spaces: bool


@kept_with
def marks_of(tokenizer: Any) -> Marks:
    """How a tokenizer writes its pieces."""
    backend = tokenizer.backend_tokenizer
    return Marks(
        tokenizer.unk_token_id,
        frozenset(backend.get_added_tokens_decoder()),
        is_byte_level(tokenizer),
        prefix_of_parts(tokenizer),
        end_of_words(tokenizer),
        type(backend.model).__name__ == "Unigram" or "Metaspace" in str(backend.decoder),
    )


def kind_of(marks: Marks, text: str, number: int) -> PieceKind:
    """What a piece stands for.

    Args:
        marks: Of its tokenizer.
        text: As the vocabulary has it.
        number: Its own.
    """
    if number == marks.unknown:
        return PieceKind(text, number, "", "", unknown=True, added=False)
    if number in marks.added:
        return PieceKind(text, number, text, "", unknown=False, added=True)
    if marks.in_bytes:
        written, data = _of_bytes(bytes_of(text))
        return PieceKind(text, number, written, data, unknown=False, added=False)
    if len(text) == 6 and text.startswith("<0x") and text.endswith(">"):
        written, data = _of_bytes(bytes.fromhex(text[3:5]))
        return PieceKind(text, number, written, data, unknown=False, added=False)
    return PieceKind(text, number, _plain(marks, text), "", unknown=False, added=False)


def _plain(marks: Marks, text: str) -> str:
    """A piece without the marks that say where words begin and end; "▁" is a space."""
    if marks.prefix and text.startswith(marks.prefix) and text != marks.prefix:
        return text.removeprefix(marks.prefix)
    if marks.end and text != marks.end:
        return text.removesuffix(marks.end)
    return text.replace(WORD_START, " ") if marks.spaces else text


def bytes_of(letters: str) -> bytes:
    """The bytes that a byte-level piece stands for; letters that stand for none are left out."""
    return bytes(_bytes()[letter] for letter in letters if letter in _bytes())


def _of_bytes(data: bytes) -> tuple[str, str]:
    """Bytes as characters, or as hexadecimal digits where they are no whole ones."""
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError:
        return "", data.hex(" ").upper()


@cache
def _bytes() -> dict[str, int]:
    """Byte-level BPE's letters: the byte that each stands for (Radford et al. 2019).

    Bytes that can be seen are written as themselves, the others as the letters from U+0100 on.
    """
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in set(seen)]
    letters = {chr(byte): byte for byte in seen}
    letters.update({chr(0x100 + place): byte for place, byte in enumerate(hidden)})
    assert letters[SPACE] == 0x20
    return letters
