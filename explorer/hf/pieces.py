"""A tokenizer's pieces as a person writes them."""

from typing import Any

WORD_START = "▁"
"""SentencePiece's mark for a space before the piece."""


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


def special_pieces(tokenizer: Any) -> frozenset[str]:
    """The tokens that are no part of any text: "[CLS]", "</s>"."""
    kept: frozenset[str] | None = getattr(tokenizer, "_explorer_special_pieces", None)
    if kept is None:
        added = tokenizer.backend_tokenizer.get_added_tokens_decoder().values()
        kept = frozenset(
            [token.content for token in added if token.special] + list(tokenizer.all_special_tokens)
        )
        tokenizer._explorer_special_pieces = kept  # noqa: SLF001 - kept with what it is of
    return kept
