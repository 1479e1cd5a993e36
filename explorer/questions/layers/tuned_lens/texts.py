"""The texts that a lens is trained on, and those that are kept aside to measure it."""

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.sentences import FileSentence, read_sentences
from explorer.text import N_
from explorer.world.corpus import held_out_documents, training_documents
from explorer.world.language.lexicon import list_of
from explorer.world.language.spelling import typed_texts

TRAINED_ON = 3000
HELD_OUT = 300
FEWEST = 50
"""Sentences of a file, below which nothing can be learned from it."""

EVERY = 10
"""One in so many sentences of a file is kept aside."""

TRAINING_SEED = 2303
HELD_OUT_SEED = 8112


@dataclass(frozen=True)
class LensTexts:
    """Texts for a lens.

    Attributes:
        source: Name of the file that they are from; "" for the small world.
        training: Trained on.
        held_out: Measured on.
    """

    source: str
    training: tuple[str, ...]
    held_out: tuple[str, ...]


def of_world() -> LensTexts:
    """Texts of the small world, spelled as people type; those aside have a withheld sentence."""
    return LensTexts(
        "",
        tuple(typed_texts(training_documents(TRAINED_ON, TRAINING_SEED))),
        tuple(typed_texts(held_out_documents(HELD_OUT, HELD_OUT_SEED))),
    )


def of_file(path: str) -> LensTexts:
    """Sentences of a file.

    Raises:
        UserMistake: It can't be read, or has too few.
    """
    found = [one.text for one in _sentences(path)]
    if len(found) < FEWEST:
        raise UserMistake(
            N_("{name} has too few sentences to train a lens on: {count}."),
            N_("Choose a file with at least {fewest} sentences."),
            name=Path(path).name,
            count=len(found),
            fewest=FEWEST,
        )
    return LensTexts(
        Path(path).name,
        tuple(text for number, text in enumerate(found) if number % EVERY != 0),
        tuple(found[::EVERY]),
    )


def texts_of(path: str) -> LensTexts:
    """Sentences of a file, or of the small world where none is named.

    Raises:
        UserMistake: As `of_file`.
    """
    return of_file(path) if path else of_world()


def digest_of(path: str) -> str:
    """What tells the texts from others, without drawing them.

    Raises:
        UserMistake: The file can't be read.
    """
    total = hashlib.blake2b(digest_size=8)
    if path:
        for one in _sentences(path):
            total.update(one.text.encode("utf-8") + b"\n")
    else:
        # The grammar is told with these words: drawing its texts takes a second, reading them none.
        total.update(list_of("en").read_bytes())
        total.update(f"{TRAINED_ON} {HELD_OUT} {TRAINING_SEED} {HELD_OUT_SEED}".encode())
    return total.hexdigest()


def _sentences(path: str) -> Iterator[FileSentence]:
    return itertools.islice(read_sentences(typed_path(path)), TRAINED_ON + HELD_OUT)
