"""The words of the small world, and which words of a text are none of them.

The lists lie in resources/world, one word a line, and `word_lists` makes them: walking the grammar
takes half a second, reading them none.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from explorer.paths import own_resources

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, as they are written; marks are none."""
    return tuple(match.group() for match in _WORD.finditer(text))


def list_of(language: str) -> Path:
    """Where the words of a language are kept."""
    return own_resources() / "world" / f"{language}.txt"


@functools.cache
def lexicon(language: str) -> frozenset[str]:
    """The words that the world is told with in a language, in lower case.

    Args:
        language: "en", "ko", or "korean" for what is told in Korean alone; it is told in no other,
            and has no words in one.
    """
    path = list_of(language)
    return frozenset(path.read_text("utf-8").split()) if path.is_file() else frozenset()


def new_words(words: Iterable[str], languages: Iterable[str]) -> tuple[str, ...]:
    """Those words, as they are written, that the world has in none of the languages."""
    known = frozenset[str]().union(*map(lexicon, languages))
    return tuple(word for word in words if word.lower() not in known)
