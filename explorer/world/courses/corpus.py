"""Documents of courses of events, drawn with a seed; those with a withheld sentence are unseen."""

from __future__ import annotations

from typing import Final

from explorer.world.corpus import CorpusDocument, documents, has_withheld
from explorer.world.courses.grammar import courses

TRAINING_SEED: Final = 21
HELD_OUT_SEED: Final = 22


def training_courses(count: int, seed: int = TRAINING_SEED) -> list[CorpusDocument]:
    """The first ``count`` documents of the stream that hold no withheld sentence."""
    return _first(count, seed, withheld=False)


def held_out_courses(count: int, seed: int = HELD_OUT_SEED) -> list[CorpusDocument]:
    """The first ``count`` documents of another stream with a withheld sentence."""
    return _first(count, seed, withheld=True)


def _first(count: int, seed: int, *, withheld: bool) -> list[CorpusDocument]:
    chosen: list[CorpusDocument] = []
    for document in documents(seed, courses()):
        if len(chosen) == count:
            break
        if has_withheld(document) == withheld:
            chosen.append(document)
    return chosen


def topic_of(document: CorpusDocument) -> str:
    """What a document is about."""
    first = document.node.children[0]
    assert not isinstance(first, str)
    return first.symbol.args[0]
