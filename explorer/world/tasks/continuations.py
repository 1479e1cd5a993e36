"""Sentences of the small world, and the one that really follows each.

They lie in resources/world, a pair a line; ``python -m explorer.world.tasks.continuations`` writes
them: to draw from the grammar takes too long for a button.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from explorer.paths import own_resources
from explorer.world.corpus import TRAINING_SEED, CorpusDocument, documents
from explorer.world.grammar import Symbol

COUNT: Final = 400
FIRST: Final = ("work_story", "0", "he", "past", "meal")
"""What the first sentence of the samples is one of."""
OPENING: Final = "The chef cooked the meal in the kitchen."

Pair = tuple[str, str]


def pairs_file() -> Path:
    """Where they are."""
    return own_resources() / "world" / "continuations.tsv"


@cache
def continuations() -> tuple[Pair, ...]:
    """All of them."""
    lines = pairs_file().read_text("utf-8").splitlines()
    return tuple((first, second) for first, _, second in (one.partition("\t") for one in lines))


def drawn() -> Iterator[Pair]:
    """The first two sentences of documents, those of one beginning once."""
    from explorer.world.scenes import small_world

    rng = random.Random(TRAINING_SEED)  # noqa: S311
    symbol = Symbol(FIRST[0], FIRST[1:])
    stories = (small_world().sample(rng, symbol) for _ in itertools.count())
    told = (CorpusDocument(node, tuple(node.words())).sentences for node in stories)
    yield next((one[0], one[1]) for one in told if one[0] == OPENING and len(one) > 1)
    begun = {OPENING}
    for document in documents(TRAINING_SEED):
        first, *others = document.sentences
        if others and first not in begun:
            begun.add(first)
            yield first, others[0]


if __name__ == "__main__":
    rows = itertools.islice(drawn(), COUNT)
    pairs_file().write_text("".join(f"{first}\t{second}\n" for first, second in rows), "utf-8")
