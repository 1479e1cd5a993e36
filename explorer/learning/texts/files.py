"""The text of a file of one's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from explorer.api.question import UserMistake
from explorer.files_of_sentences.whole_texts import WholeText, whole_text
from explorer.learning.plan.options import MOST_DOCUMENTS
from explorer.learning.texts.documents import WrittenDocument
from explorer.learning.texts.training_text import LearningText
from explorer.text import N_

LEAST_WORDS: Final = 500
"""Of a text; of fewer there is nothing to be learnt."""
VOCABULARY_CHARACTERS: Final = 5_000_000
"""That a vocabulary is made of at most."""
_SENTENCE_END: Final = re.compile(r"(?<=[.?!。？！…])[\"'”’)]?\s+")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FileDocument:
    """A paragraph of a file.

    Attributes:
        sentences: Its sentences.
    """

    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(self.sentences)


class FileText(LearningText):
    """A file's paragraphs: what stands between empty lines, or every line where there are none.

    Args:
        path: the file, as it was typed; rows of a table are paragraphs.
        check: called now and then while it is read: raises to stop.

    Attributes:
        name: the file's.
        is_cut: the file has more than is read.

    Raises:
        UserMistake: the file can't be read, is no text, or has too little of it.
    """

    strips_accents = False

    def __init__(self, path: str, check: Callable[[], None] = lambda: None) -> None:
        self.name = Path(path).name
        found = whole_text(path, check)
        paragraphs = [one for one in _paragraphs(found) if _WORD.search(one)]
        self.is_cut = found.is_cut or len(paragraphs) > MOST_DOCUMENTS
        words = sum(len(_WORD.findall(one)) for one in paragraphs)
        if words < LEAST_WORDS:
            raise UserMistake(
                N_("There are only {count} words in {name}: choose a text of {least} or more."),
                count=words,
                name=self.name,
                least=LEAST_WORDS,
            )
        self._documents = [
            FileDocument(tuple(part for part in _SENTENCE_END.split(one) if part))
            for one in paragraphs[:MOST_DOCUMENTS]
        ]

    @property
    def has_pairs(self) -> bool:
        """Whether any paragraph has two sentences."""
        return any(len(one.sentences) > 1 for one in self._documents)

    def documents(self, count: int, seed: int) -> Sequence[WrittenDocument]:
        """The first paragraphs, or all of them, in an order of the seed's own."""
        chosen = self._documents[: count or None]
        return [chosen[place] for place in np.random.default_rng(seed).permutation(len(chosen))]

    def vocabulary_texts(self) -> Iterator[str]:
        """Paragraphs from the first, as far as a vocabulary is made of them."""
        characters = 0
        for one in self._documents:
            characters += len(one.text)
            if characters > VOCABULARY_CHARACTERS:
                return
            yield one.text


def _paragraphs(found: WholeText) -> Iterator[str]:
    lines = found.lines
    filled = [number for number, line in enumerate(lines) if line]
    if found.is_table or len(filled) == filled[-1] - filled[0] + 1:
        yield from (lines[number] for number in filled)
        return
    together: list[str] = []
    for line in (*lines, ""):
        if line:
            together.append(line)
        elif together:
            yield " ".join(together)
            together = []
