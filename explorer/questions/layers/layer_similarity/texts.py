"""Which sentences layers are compared on."""

import itertools
import re
from collections.abc import Iterator

from explorer.api.question import UserMistake
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.sentences import read_sentences
from explorer.questions.layers.layer_similarity.question import (
    ENGLISH,
    KOREAN,
    TYPED,
    LayerSimilarityRequest,
)
from explorer.text import N_

WORLD_SEED = 31
"""Of the documents whose sentences are taken."""

FEWEST_WORDS = 4
"""Of a sentence of the world: shorter ones, as "He laughed.", have little context."""

_ENDS = re.compile(r"(?<=[.!?。])\s+|\n+")


def sentences_of(request: LayerSimilarityRequest) -> tuple[str, Iterator[str]]:
    """What the text is called, and its sentences, each once.

    Raises:
        UserMistake: The file can't be read, or has no sentence.
    """
    if request.text.strip():
        return TYPED, _once(cut(request.text))
    if request.path:
        path = typed_path(request.path)
        found = _once(one.text for one in read_sentences(path))
        first = next(found, None)
        if first is None:
            raise UserMistake(
                N_("There is no sentence in {name}."), N_("Choose another file."), name=path.name
            )
        return path.name, itertools.chain((first,), found)
    if request.korean:
        return KOREAN, _once(_of_world(in_korean=True))
    return ENGLISH, _once(_of_world(in_korean=False))


def cut(text: str) -> Iterator[str]:
    """The sentences of a text, which ends each with a mark or on a line of its own."""
    return (one.strip() for one in _ENDS.split(text) if one.strip())


def _of_world(*, in_korean: bool) -> Iterator[str]:
    from explorer.world.corpus import documents
    from explorer.world.korean.text import korean

    for document in documents(WORLD_SEED):
        text = korean(document) if in_korean else document.text
        if text is not None:
            for sentence in cut(text):
                if in_korean or len(sentence.split()) >= FEWEST_WORDS:
                    yield sentence


def _once(sentences: Iterator[str]) -> Iterator[str]:
    """Each sentence once: the same one again is no other context."""
    seen = set()
    for one in sentences:
        if one not in seen:
            seen.add(one)
            yield one
