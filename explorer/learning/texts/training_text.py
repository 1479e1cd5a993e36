"""What a model is trained on: documents, what its vocabulary is made of, and an exact reader."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.learning.texts.documents import WrittenDocument
from explorer.world.corpus import sentence_words, spell
from explorer.world.exact.inside import ExactReader
from explorer.world.exact.readers import Tokenize
from explorer.world.exact.truth import Truth


@dataclass(frozen=True, slots=True)
class HeldOutText:
    """A text of a world that nobody is trained on.

    Attributes:
        words: Its words.
        rules: What each word was written by; "" for those that are not asked about.
    """

    words: tuple[str, ...]
    rules: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences as a person would write them."""
        return tuple(spell(words) for words in sentence_words(self.words))

    @property
    def text(self) -> str:
        """The whole text as a person would write it."""
        return " ".join(self.sentences)


class LearningText(ABC):
    """A text. Whoever draws it with the same numbers reads the same.

    Attributes:
        strips_accents: Letters lose their marks; Hangul would be cut into its parts so.
    """

    strips_accents: bool = True

    @abstractmethod
    def documents(self, count: int, seed: int) -> Sequence[WrittenDocument]:
        """What is read.

        Args:
            count: how many there are, the same ones for every seed; 0 for as many as anybody reads.
            seed: which ones are drawn where there is no end of them.
        """

    @abstractmethod
    def vocabulary_texts(self) -> Iterator[str]:
        """What a vocabulary is trained on, the same for every run."""

    def reader(self, tokenize: Tokenize) -> ExactReader | None:  # noqa: ARG002
        """Reads the text's grammar in a tokenizer's pieces; None where nobody knows one."""
        return None

    def truth(self, tokenize: Tokenize) -> Truth | None:  # noqa: ARG002
        """Exact answers about blanks and pairs, in a tokenizer's pieces; None as for `reader`."""
        return None

    def held_out(self, count: int) -> Sequence[HeldOutText]:  # noqa: ARG002
        """Texts that are never read, always the same ones; none where nobody knows a grammar."""
        return ()


class WithoutGrammar(LearningText):
    """A text whose grammar nobody knows in the pieces that read it.

    Args:
        text: The same text.
    """

    def __init__(self, text: LearningText) -> None:
        self._text = text
        self.strips_accents = text.strips_accents

    def documents(self, count: int, seed: int) -> Sequence[WrittenDocument]:
        """Those of the text."""
        return self._text.documents(count, seed)

    def vocabulary_texts(self) -> Iterator[str]:
        """Those of the text."""
        return self._text.vocabulary_texts()
