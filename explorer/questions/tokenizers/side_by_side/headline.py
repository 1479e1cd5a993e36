"""What to look at first: the word that tokenizers cut most differently."""

import re
import unicodedata
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Headline
from explorer.questions.tokenizers.side_by_side.question import Cutting, SideBySideResult
from explorer.text import N_, NN_, Phrase
from explorer.text.phrase import NOTHING
from explorer.text.printable import shortened

_RUN = re.compile(r"\S+")


def headline(result: SideBySideResult) -> Headline:
    """The word with the largest difference between the most pieces and the fewest."""
    spans = np.array([*_words(result.text)], dtype=np.int64).reshape(-1, 2)
    if not len(spans) or not result.cuttings:
        return Headline(NOTHING)
    counts = np.array([_pieces_of(one, spans) for one in result.cuttings])
    if len(result.cuttings) == 1:
        return Headline(_of_one(result, spans, counts[0]))
    at = int(np.ptp(counts, axis=0).argmax())
    start, end = spans[at].tolist()
    column = counts[:, at]
    most = int(column.argmax())
    fewest = [n for n, one in enumerate(result.cuttings) if column[n] == column.min()]
    knowing = [n for n in fewest if not _lacks(result.cuttings[n], start, end)]
    if column.min() == column.max():
        return Headline()
    values = {
        "word": shortened(result.text[start:end]),
        "most": result.cuttings[most].title,
        "pieces": int(column[most]),
        "fewest": result.cuttings[(knowing or fewest)[0]].title,
    }
    if not knowing:
        sentence = Phrase(
            N_(
                "“{word}” divides the tokenizers most: {most} splits it into {pieces} tokens,"
                " while {fewest} does not know it."
            ),
            **values,
        )
        return Headline(sentence)
    sentence = Phrase(
        NN_(
            "“{word}” divides the tokenizers most: {most} splits it into {pieces} tokens,"
            " {fewest} leaves it whole.",
            "“{word}” divides the tokenizers most: {most} splits it into {pieces} tokens,"
            " {fewest} into {count}.",
        ),
        count=int(column.min()),
        **values,
    )
    return Headline(sentence)


def _of_one(result: SideBySideResult, spans: NDArray[np.int64], counts: NDArray[np.int64]) -> str:
    at = int(counts.argmax())
    start, end = spans[at].tolist()
    title = result.cuttings[0].title
    if counts[at] < 2:
        return NOTHING
    return Phrase(
        N_("{title} splits “{word}” into {pieces} tokens, and no other word into more."),
        title=title,
        word=shortened(result.text[start:end]),
        pieces=int(counts[at]),
    )


def _words(text: str) -> Iterator[tuple[int, int]]:
    """What stands between spaces, without the signs around it unless there are only these."""
    for run in _RUN.finditer(text):
        inner = [n for n in range(*run.span()) if unicodedata.category(text[n])[0] != "P"]
        yield (inner[0], inner[-1] + 1) if inner else run.span()


def _pieces_of(one: Cutting, spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pieces have characters of each word."""
    some = one.starts < one.ends
    begun = np.sort(one.starts[some])
    ended = np.sort(one.ends[some])
    # Those that begin before the word's end, without those that end before it begins.
    found: NDArray[np.int64] = np.searchsorted(begun, spans[:, 1]) - np.searchsorted(
        ended, spans[:, 0], side="right"
    )
    return found


def _lacks(one: Cutting, start: int, end: int) -> bool:
    """Whether a piece there stands for what the vocabulary lacks."""
    there = one.which[(one.starts < end) & (one.ends > start)]
    return any(one.kinds[number].unknown for number in there) or not len(there)
