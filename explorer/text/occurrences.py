"""Where a word stands in sentences, and which other words stand beside it."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

WORD = re.compile(r"\w+(?:['’]\w+)*")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+|(?<=[。！？])")
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts that write no spaces between words, as Unicode names their letters."""


@dataclass(frozen=True)
class WordSpan:
    """A word's place in a sentence.

    Attributes:
        start: First character.
        end: One past the last.
        chosen: It is the word that is followed.
    """

    start: int
    end: int
    chosen: bool = False


def sentences_in(text: str) -> Iterator[str]:
    """The sentences of a text; a new line always begins one."""
    for line in text.splitlines():
        for sentence in SENTENCE_END.split(line):
            if sentence and sentence.strip():
                yield sentence.strip()


def places_of(word: str, sentence: str) -> Iterator[tuple[int, int]]:
    """Where a word stands as a whole, whatever its case.

    In Korean particles may follow it, and scripts without spaces have it anywhere.
    """
    if not word:
        return
    for found in re.finditer(re.escape(word), sentence, re.IGNORECASE):
        start, end = found.span()
        before, after = sentence[start - 1 : start], sentence[end : end + 1]
        if _apart(before, sentence[start]) and (
            _apart(sentence[end - 1], after) or _script(sentence[end - 1]).startswith("HANGUL")
        ):
            yield start, end


def words_in(sentence: str, word: str) -> tuple[WordSpan, ...]:
    """Every word of a sentence in order; what touches the followed word is a part of that."""
    chosen = [WordSpan(*place, chosen=True) for place in places_of(word, sentence)]
    others = [
        WordSpan(*found.span())
        for found in WORD.finditer(sentence)
        if not any(found.start() < one.end and found.end() > one.start for one in chosen)
    ]
    return tuple(sorted((*chosen, *others), key=lambda one: one.start))


def repeated(sentences: Iterator[str]) -> tuple[str, bool]:
    """The first word that stands there twice, and True; else the very first word, and False."""
    seen: dict[str, str] = {}
    twice: set[str] = set()
    for sentence in sentences:
        for found in WORD.finditer(sentence):
            same = found.group().casefold()
            if same in seen:
                twice.add(same)
            seen.setdefault(same, found.group())
    first = next((word for same, word in seen.items() if same in twice), "")
    return first or next(iter(seen.values()), ""), bool(first)


def _apart(left: str, right: str) -> bool:
    """Whether a word may end between two characters; "" is the end of the text."""
    if not _is_letter(left) or not _is_letter(right):
        return True
    return any(_script(one).startswith(UNSPACED) for one in (left, right))


def _is_letter(character: str) -> bool:
    return bool(character) and re.match(r"\w", character) is not None


def _script(character: str) -> str:
    return unicodedata.name(character, "")
