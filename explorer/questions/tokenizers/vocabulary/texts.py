"""How often each piece stands in a text: of a file, or of the small world."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Context, UserMistake
from explorer.files.typed_paths import readable, typed_path
from explorer.files_of_sentences.sentences import read_sentences, survey
from explorer.hf.kept import kept
from explorer.questions.tokenizers.vocabulary.question import SMALL_WORLD
from explorer.text import N_
from explorer.text.printable import without_surrogates

DOCUMENTS = 1_000
"""Texts of the small world in which pieces are counted."""
WORLD_SEED = 12
AT_ONCE = 500
"""Sentences that are cut between two looks whether to go on."""


@dataclass(frozen=True)
class Uses:
    """How often each piece stands in a text.

    Attributes:
        source: "english" for the small world, or the file's name.
        sentences: How many were read.
        left_out: Sentences behind the most that are read.
        counts: By the piece's number.
    """

    source: str
    sentences: int
    left_out: int
    counts: NDArray[np.int64]


def uses_of(tokenizer: Any, path: str, context: Context) -> Uses:
    """Count every piece of a vocabulary in a text; special tokens around it don't count.

    Args:
        tokenizer: A fast transformers tokenizer.
        path: Of a file with a sentence on every line; "" for texts of the small world.
        context: Can stop it, and is told how far it is.

    Raises:
        UserMistake: The file can't be read, or has no sentence.
        Cancelled: The run was cancelled.
    """
    place = typed_path(path) if path else None
    return kept(
        "counts of pieces",
        lambda: _counted(tokenizer, place, context),
        of=(tokenizer, place and readable(place)),
        asked=place and place.name,  # a link has another one
        size=lambda uses: uses.counts.nbytes,
    )


def _counted(tokenizer: Any, path: Path | None, context: Context) -> Uses:
    if path is None:
        source, count, left_out = SMALL_WORLD, DOCUMENTS, 0
        texts = _of_world()
    else:
        context.progress(N_("reading the file"), 0.0, 0.0)
        told = survey(path)
        if not told.count:
            raise UserMistake(
                N_("There is no sentence in {name}."), N_("Choose another file."), name=path.name
            )
        source, count, left_out = path.name, told.count, told.left_out
        texts = _of_file(path)
    backend = tokenizer.backend_tokenizer
    counts = np.zeros(max(tokenizer.get_vocab().values(), default=-1) + 1, dtype=np.int64)
    done = 0
    while some := list(itertools.islice(texts, AT_ONCE)):
        context.check()
        context.progress(N_("counting pieces"), done, count)
        # Others may have set them while this one gave way.
        backend.no_truncation()
        backend.no_padding()
        for encoding in backend.encode_batch(some, add_special_tokens=False):
            ids = np.asarray(encoding.ids, dtype=np.int64)
            counts += np.bincount(ids, minlength=len(counts))
        done += len(some)
        context.give_way()
    return Uses(source, done, left_out, counts)


def _of_world() -> Iterator[str]:
    from explorer.world.corpus import documents

    return (one.text for one in itertools.islice(documents(WORLD_SEED), DOCUMENTS))


def _of_file(path: Path) -> Iterator[str]:
    """Sentences, and second ones behind them."""
    for one in read_sentences(path):
        yield without_surrogates(one.text)
        if one.pair:
            yield without_surrogates(one.pair)
