"""XLM's own cutting of text, with the characters that every piece stands for.

XLM's tokenizer normalises punctuation, cuts words as Moses does, lower-cases and strips accents
(Lample and Conneau 2019, section 5.2), and byte-pair encodes each word. It gives pieces but does
not say where they lie. Here its pieces are laid along the text again.
"""

import hashlib
import unicodedata
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from explorer.hf import OWN_CODE

WORD_END = "</w>"
NEAR = 24
"""Characters that rewritten punctuation can be longer or shorter by, both sides together."""

RUN = 3
"""Characters that must be alike for a place to count as found again."""

NOWHERE = -1

GROUP = 256
"""Pieces that are cut off a long text together."""

SEGMENTED = frozenset({"zh", "ja", "th"})
"""Languages that XLM's texts were cut into words for by tools of their own."""

_language: ContextVar[str] = ContextVar("language of the text that is cut", default="en")


@contextmanager
def reading(language: str) -> Iterator[None]:
    """Cut texts by the rules of a language inside the block."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def align(text: str, pieces: list[str]) -> list[tuple[int, int]]:
    """Where pieces lie in a text: start and end of each, in order.

    Characters are compared without case and accents. A piece whose characters are not the text's
    (punctuation is rewritten: "…" becomes three full stops) lies where it stands between its
    neighbours, as far as the next character that is found again.
    """
    simple = [_folded(character) for character in text]
    bare = [_folded(piece.removesuffix(WORD_END)) for piece in pieces]
    places, owners = _spread(simple), _spread(bare)
    first, last = [NOWHERE] * len(pieces), [NOWHERE] * len(pieces)
    for i, j in _matches("".join(simple), "".join(bare)):
        owner, place = owners[j], places[i]
        first[owner] = place if first[owner] == NOWHERE else first[owner]
        last[owner] = place
    return list(_all_placed(text, first, last))


def _spread(texts: Sequence[str]) -> list[int]:
    """For every character of texts that are joined, the number of its text."""
    return [number for number, one in enumerate(texts) for _ in one]


def _all_placed(text: str, first: Sequence[int], last: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Start and end of every piece, those included of which no character was found again."""
    following, ends = len(text), []
    for place in reversed(first):
        ends.append(following)
        following = following if place == NOWHERE else place
    before: tuple[int, int] | None = None
    for start, final, end in zip(first, last, reversed(ends), strict=True):
        if start == NOWHERE:
            before = _between(text, before[1] if before else 0, end, before)
        else:
            before = start, final + 1
        yield before


def _between(text: str, start: int, end: int, before: tuple[int, int] | None) -> tuple[int, int]:
    """The characters of a rewritten piece: what is left there, or what the one before it has."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        return start, end
    return before or (0, min(1, len(text)))


@lru_cache(maxsize=1 << 16)
def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower()).lower()
    return "".join(c for c in plain if unicodedata.category(c) != "Mn" and not c.isspace())


def _matches(left: str, right: str) -> Iterator[tuple[int, int]]:
    """Pairs of equal characters, in the order of both."""
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            yield i, j
            i, j = i + 1, j + 1
        else:
            i, j = _next_match(left, i, right, j)


def _next_match(left: str, i: int, right: str, j: int) -> tuple[int, int]:
    """The nearest places from which both go on alike, or one further where there are none near."""
    for away in range(1, NEAR):
        for a in range(away + 1):
            here, there = left[i + a : i + a + RUN], right[j + away - a : j + away - a + RUN]
            if here and here == there:
                return i + a, j + away - a
    return i + 1, j + 1


def quick_moses(library: Any, language: str) -> Any:
    """Moses' tokenizer, which asks at every full stop whether what follows is in small letters.

    sacremoses makes a set of all small letters there are each time, which takes a fifth of the
    time that a long text does; here it is made once.

    Args:
        library: sacremoses.
        language: Whose rules it goes by.
    """
    made = library.MosesTokenizer(lang=language)
    made.islower = frozenset(made.IsLower).issuperset
    return made


class _Cutter:
    """The step of a fast tokenizer that cuts text; the pieces are XLM's own."""

    def __init__(self, slow: Any) -> None:
        self._slow = slow

    def pre_tokenize(self, text: Any) -> None:
        """Cut a tokenizers.PreTokenizedString.

        It is cut into long parts first: to find a part, its library walks from where the whole
        begins, which for every piece of a long text takes far longer than all the rest.
        """
        groups: deque[list[tuple[str, int, int]]] = deque()
        text.split(partial(self._into_groups, groups))
        text.split(partial(_into_pieces, groups))

    def _into_groups(
        self, groups: deque[list[tuple[str, int, int]]], _index: int, text: Any
    ) -> list[Any]:
        words = str(text)
        language = "en" if _language.get() in SEGMENTED else _language.get()
        known = self._slow.cache_moses_tokenizer
        if language not in known:
            known[language] = quick_moses(self._slow.sm, language)
        pieces = self._slow._tokenize(  # noqa: SLF001 - the only way to tell it the language
            words, lang=language
        )
        spans = align(words, pieces)
        parts = []
        for first in range(0, len(pieces), GROUP):
            chosen = slice(first, first + GROUP)
            start = min(a for a, _ in spans[chosen])
            end = max(b for _, b in spans[chosen])
            places = zip(pieces[chosen], spans[chosen], strict=True)
            groups.append([(piece, a - start, b - start) for piece, (a, b) in places])
            parts.append(text[start:end])
        return parts


def _into_pieces(groups: deque[list[tuple[str, int, int]]], _index: int, text: Any) -> list[Any]:
    """The pieces of the next group, each with the characters that it stands for."""
    from tokenizers import Regex

    first, rest = Regex(r"\A(?m:.)"), Regex(r"(?<!\A)(?m:.)+\z")
    parts = []
    for piece, start, end in groups.popleft():
        part = text[start:end]
        # What is put in is laid to the last character of what it replaces, so the first
        # character is replaced by itself: then the piece reaches over both.
        part.replace(first, piece[0])
        if end - start > 1:
            part.replace(rest, piece[1:])
        else:
            part.append(piece[1:])
        parts.append(part)
    return parts


def make_tokenizer(folder: Path, settings: dict[str, Any]) -> Any:
    """A fast tokenizer from vocab.json and merges.txt.

    Args:
        folder: Holds both files.
        settings: tokenizer_config.json's values.
    """
    from tokenizers import Tokenizer
    from tokenizers.decoders import BPEDecoder
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import PreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast, XLMTokenizer

    vocabulary_file, merges_file = str(folder / "vocab.json"), str(folder / "merges.txt")
    slow = XLMTokenizer(vocabulary_file, merges_file)
    vocabulary = dict(slow.encoder)
    lower = settings.get("do_lowercase_and_remove_accent")
    # The models of 17 and 100 languages tell capital letters apart, though not every copy says so.
    slow.do_lowercase_and_remove_accent = (
        lower
        if isinstance(lower, bool)
        else not any(piece != piece.lower() for piece in vocabulary if piece.endswith(WORD_END))
    )
    backend = Tokenizer(WordLevel(vocabulary, unk_token=slow.unk_token))
    backend.decoder = BPEDecoder(suffix=WORD_END)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        unk_token=slow.unk_token,
        bos_token=slow.bos_token,
        sep_token=slow.sep_token,
        pad_token=slow.pad_token,
        cls_token=slow.cls_token,
        mask_token=slow.mask_token,
        model_max_length=settings.get("model_max_length"),
        # XLM would add a word's embedding for a token type.
        model_input_names=["input_ids", "attention_mask"],
    )
    # The merges, which are in a file of their own, and whether letters are made small.
    merges = hashlib.blake2b((folder / "merges.txt").read_bytes(), digest_size=16).hexdigest()
    setattr(tokenizer, OWN_CODE, f"xlm {slow.do_lowercase_and_remove_accent} {merges}")
    backend = tokenizer.backend_tokenizer
    backend.pre_tokenizer = PreTokenizer.custom(_Cutter(slow))
    begin, end = slow.bos_token, slow.sep_token
    backend.post_processor = TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} $B:1 {end}:1",
        special_tokens=[(begin, vocabulary[begin]), (end, vocabulary[end])],
    )
    return tokenizer
