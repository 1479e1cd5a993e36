"""Words and pieces of vocabularies as a person reads them: white space as signs, no marks."""

from typing import Protocol

_VISIBLE = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥", "\u00a0": "␣", "\u200b": "·"})
WORD_MARKS = ("Ġ", "▁")
"""What byte-level BPE and SentencePiece write for the space before a word, and for a token that is
this space and no more."""


class Word(Protocol):
    """A word that a model may say: a prediction, or what is told of one."""

    @property
    def word(self) -> str:
        """As a person writes it; "" where its piece spells nothing."""

    @property
    def token(self) -> str:
        """As the tokenizer writes it."""


class GluedWord(Word, Protocol):
    """A word that may be part of one."""

    @property
    def glue(self) -> str:
        """What it is glued to: "before" for the word before it, "after" for the rest of its own."""


def visible(text: str) -> str:
    """White space as signs, so that a token of it can be seen and hit."""
    return text.translate(_VISIBLE) if not text.strip() else " ".join(text.split())


def readable(piece: str) -> str:
    """A piece without the tokenizer's marks for joins and spaces."""
    if piece.startswith("##") and len(piece) > 2:
        return piece[2:]
    for mark in WORD_MARKS:
        if piece.startswith(mark):
            return piece[len(mark) :] or visible(" ")
    return piece.removesuffix("</w>") or piece


def word_or_piece(one: Word) -> str:
    """A word as it is drawn; its piece where that spells nothing."""
    return visible(one.word) or one.token


def drawn(one: GluedWord) -> str:
    """The same with dots where the rest of a word would be."""
    return dotted(word_or_piece(one), one.glue)


def dotted(word: str, glue: str) -> str:
    """A part of a word with dots where the rest would be; `glue` as of `GluedWord`."""
    return {"before": f"…{word}", "after": f"{word}…"}.get(glue, word)
