"""The pieces of a text whose grammar is known, trained once in a process."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, Final

from explorer.learning.texts import worlds
from explorer.learning.texts.training_text import LearningText
from explorer.learning.texts.worlds import GrammarText
from explorer.learning.tokenizers.wordpiece import train_wordpiece

KEPT: Final = 8
"""Vocabularies that this process keeps: one takes a third of a second."""


def vocabulary_of(text: LearningText, size: int) -> Any:
    """A new ``tokenizers.Tokenizer`` of WordPiece, uncased, of a text.

    Args:
        text: What its vocabulary is trained on.
        size: Pieces, special tokens among them.
    """
    if not isinstance(text, GrammarText):
        # Of files, which may be others the next time.
        return _trained(text, size)
    from tokenizers import Tokenizer

    known = (type(text), text.grammar, worlds.READ)
    return Tokenizer.from_str(_written(VocabularyChoice(known, size, text)))


@dataclass(frozen=True, slots=True)
class VocabularyChoice:
    """What a vocabulary of a grammar's text follows from.

    Attributes:
        known: What the text is, and how much of it is read.
        size: Pieces.
        text: The text; what it is is known already.
    """

    known: tuple[object, ...]
    size: int
    text: GrammarText = field(compare=False)


@functools.lru_cache(maxsize=KEPT)
def _written(choice: VocabularyChoice) -> str:
    written: str = _trained(choice.text, choice.size).to_str()
    return written


def _trained(text: LearningText, size: int) -> Any:
    strip = None if text.strips_accents else False
    return train_wordpiece(text.vocabulary_texts(), size, strip_accents=strip)
