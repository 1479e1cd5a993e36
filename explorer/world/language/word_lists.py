"""Makes the lists of the small world's words: ``python -m explorer.world.language.word_lists``.

English is what the grammar can say, and "korean" what that of the Korean BERT can; "ko", which is
told document by document, is what its training documents say.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from explorer.world.corpus import training_documents
from explorer.world.korean.grammar import korean_world
from explorer.world.korean.text import korean
from explorer.world.language.lexicon import list_of, words_of
from explorer.world.scenes import small_world

KOREAN_DOCUMENTS: Final = 120_000
"""As many as XLM's miniature was trained on."""


def english_words() -> frozenset[str]:
    """Every word that the grammar can write, in lower case."""
    return _lower(small_world().words())


def words_of_korean_world() -> frozenset[str]:
    """Every word that the Korean grammar can write, in lower case."""
    return _lower(korean_world().words())


def korean_words(documents: int = KOREAN_DOCUMENTS) -> frozenset[str]:
    """Every word of the first training documents that are told in Korean, in lower case."""
    return _lower(filter(None, map(korean, training_documents(documents))))


def _lower(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for text in texts for word in words_of(text))


if __name__ == "__main__":
    made = {"en": english_words(), "ko": korean_words(), "korean": words_of_korean_world()}
    for name, words in made.items():
        list_of(name).parent.mkdir(exist_ok=True)
        list_of(name).write_text("\n".join(sorted(words)) + "\n", "utf-8")
