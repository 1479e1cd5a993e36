"""A tokenizer's pieces as a person writes them."""

import hashlib
import unicodedata
from collections.abc import Sequence
from typing import Any

from explorer.hf.facts import kept_with

WORD_START = "▁"
"""SentencePiece's mark for a space before the piece."""

SPACE = "Ġ"
"""Byte-level BPE's letter for a space."""


def written(tokenizer: Any, piece: str) -> str:
    """A piece without the tokenizer's own marks: no "##", no "Ġ", no "▁".

    Byte-level pieces become the characters their bytes stand for; bytes that are only part of a
    character become U+FFFD. Special tokens stay as they are, and a piece that is nothing but
    marks or spaces comes back as it is.

    Args:
        tokenizer: A fast transformers tokenizer.
        piece: A piece of its vocabulary.
    """
    if piece in special_pieces(tokenizer):
        return piece
    backend = tokenizer.backend_tokenizer
    prefix = getattr(backend.model, "continuing_subword_prefix", None)
    if prefix and piece.startswith(prefix) and len(piece) > len(prefix):
        return piece[len(prefix) :]
    if type(backend.model).__name__ == "WordPiece" or backend.decoder is None:
        return piece.replace(WORD_START, " ").strip() or piece
    return str(backend.decoder.decode([piece])).strip() or piece


@kept_with
def special_pieces(tokenizer: Any) -> frozenset[str]:
    """The tokens that are no part of any text: "[CLS]", "</s>"."""
    added = tokenizer.backend_tokenizer.get_added_tokens_decoder().values()
    named = [token.content for token in added if token.special]
    return frozenset(named + list(tokenizer.all_special_tokens))


@kept_with
def vocabulary_hash(tokenizer: Any) -> str:
    """blake2b of a vocabulary's pieces in the order of their numbers, 16 hexadecimal digits."""
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    pieces = [""] * (max(vocabulary.values(), default=-1) + 1)
    for piece, number in vocabulary.items():
        pieces[number] = piece
    text = "\0".join(pieces)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def written_together(tokenizer: Any, pieces: Sequence[str]) -> str:
    """Pieces that stand side by side as a person writes them: "disentangles".

    Args:
        tokenizer: A fast transformers tokenizer.
        pieces: Of its vocabulary, in order.
    """
    if len(pieces) == 1:
        return written(tokenizer, pieces[0])
    backend = tokenizer.backend_tokenizer
    prefix: str = getattr(backend.model, "continuing_subword_prefix", None) or ""
    if backend.decoder is None or type(backend.model).__name__ == "WordPiece":
        line = ""
        for piece in pieces:
            glued = bool(prefix) and piece.startswith(prefix) and piece != prefix
            line += written(tokenizer, piece) if glued or not line else f" {piece}"
        return line
    return str(backend.decoder.decode(list(pieces))).strip() or "".join(pieces)


def glue(tokenizer: Any, piece: str, *, unspaced: bool = False, text: str | None = None) -> str:
    """Whether a piece is only a part of a word: "before", "after", or "" for a whole word.

    "before" continues the word that stands before it ("##s", or "s" where words begin with "Ġ" or
    "▁"); "after" is the beginning of a longer word (a piece without the "</w>" that ends words in
    its vocabulary). Signs and special tokens are whole.

    Args:
        tokenizer: A fast transformers tokenizer.
        piece: Of its vocabulary.
        unspaced: A word begins here without a space before it, as at the beginning of a text.
        text: The piece as `written` has it, where that is known.
    """
    if piece in special_pieces(tokenizer):
        return ""
    prefix = prefix_of_parts(tokenizer)
    if prefix:
        return "before" if piece.startswith(prefix) and len(piece) > len(prefix) else ""
    end = end_of_words(tokenizer)
    if end:
        if piece.endswith(end):
            return ""
        # A sign is whole, unless the vocabulary has the finished one beside it.
        sign = unicodedata.category(piece[-1:] or " ")[0] in "PSZ"
        finished = tokenizer.backend_tokenizer.token_to_id(piece + end) is not None
        return "" if sign and not finished else "after"
    if unspaced or _begins_word(piece) or not _marks_words(tokenizer):
        return ""
    text = written(tokenizer, piece) if text is None else text
    return "before" if text[:1].isalnum() else ""


@kept_with
def prefix_of_parts(tokenizer: Any) -> str:
    """What pieces begin with that go on with a word ("##"); "" in a vocabulary without it."""
    model = tokenizer.backend_tokenizer.model
    return getattr(model, "continuing_subword_prefix", None) or ""


@kept_with
def end_of_words(tokenizer: Any) -> str:
    """What ends the pieces that finish a word ("</w>"); "" in a vocabulary without such a mark.

    A vocabulary whose text is cut by other means than tokenizers' own BPE (XLM's) says so in its
    decoder alone.
    """
    backend = tokenizer.backend_tokenizer
    of_model = getattr(backend.model, "end_of_word_suffix", None)
    return of_model or getattr(backend.decoder, "suffix", None) or ""


def is_after_space(tokenizer: Any, piece: str) -> bool:
    """Whether a word that begins with a piece has a space before it, or is read as if it had.

    Only where a vocabulary writes that space: elsewhere a word is the same piece in either place.
    """
    return _begins_word(piece) or not _marks_words(tokenizer)


def _begins_word(piece: str) -> bool:
    return piece.startswith((WORD_START, SPACE))


@kept_with
def _marks_words(tokenizer: Any) -> bool:
    """Whether the vocabulary tells the beginnings of words from what follows in them."""
    return any(_begins_word(piece) for piece in tokenizer.get_vocab())
