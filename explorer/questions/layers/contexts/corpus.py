"""The texts of an index: the small world's with the grammar's labels, or those of a file.

A treebank's words (.conllu) have its labels.
"""

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.formats.conllu import CONLLU, FileWord
from explorer.files_of_sentences.formats.labelled_words import read_labels
from explorer.files_of_sentences.sentences import read_sentences
from explorer.world.corpus import HELD_OUT_SEED, CorpusDocument, documents
from explorer.world.labelling.knowledge_spans import word_offsets
from explorer.world.labelling.labels import KINDS
from explorer.world.language.lexicon import list_of

SEED = HELD_OUT_SEED
OF_TREEBANK = {
    "part_of_speech": "UPOS",
    "number": "Number",
    "tense": "Tense",
    "role": "DEPREL",
}
"""Kinds of labels that a treebank has, with the column or the feature that says them."""


@dataclass(frozen=True)
class CorpusText:
    """A text, on one line.

    Attributes:
        text: What is read.
        labels: First and end character of a word, the kind of its label, and the label.
    """

    text: str
    labels: tuple[tuple[int, int, str, str], ...] = ()


def texts_of(path: str) -> Iterator[CorpusText]:
    """Texts in a fixed order, each once: of a file, or of the small world without end.

    Raises:
        UserMistake: The file can't be read.
    """
    seen: set[bytes] = set()
    for one in _of_file(path) if path else map(_labelled, documents(SEED)):
        name = hashlib.blake2b(one.text.encode(), digest_size=12).digest()
        if name not in seen:
            seen.add(name)
            yield one


def digest_of(path: str) -> str:
    """What tells a corpus from others: all sentences of a file, or the grammar's words.

    Raises:
        UserMistake: The file can't be read.
    """
    total = hashlib.blake2b(digest_size=8)
    if path:
        for one in _of_file(path):
            total.update(f"{one.text}\n{one.labels or ''}".encode())
    else:
        total.update(list_of("en").read_bytes() + str(SEED).encode())
    return total.hexdigest()


def _of_file(path: str) -> Iterator[CorpusText]:
    file = typed_path(path)
    if file.suffix.lower() in CONLLU:
        columns = [read_labels(file, column) for column in OF_TREEBANK.values()]
        yield from (
            _of_words(dict(zip(OF_TREEBANK, own, strict=True)))
            for own in zip(*columns, strict=True)
        )
        return
    for one in read_sentences(file):
        for text in filter(None, (one.text, one.pair)):
            yield CorpusText(" ".join(text.split()))


def _of_words(words: Mapping[str, Sequence[FileWord]]) -> CorpusText:
    """A sentence of a treebank.

    Args:
        words: By the kind of label, all words.
    """
    text, labels = "", list[tuple[int, int, str, str]]()
    for own in zip(*words.values(), strict=True):
        start, end = len(text), len(text) + len(own[0].word)
        text += own[0].word + own[0].after
        labels += [
            (start, end, kind, one.label) for kind, one in zip(words, own, strict=True) if one.label
        ]
    return CorpusText(text.rstrip(), tuple(labels))


def _labelled(document: CorpusDocument) -> CorpusText:
    offsets = word_offsets(document)
    found = itertools.chain.from_iterable(
        (
            (*offset, kind, label)
            for offset, label in zip(offsets, labels(document), strict=True)
            if label is not None
        )
        for kind, labels in KINDS.items()
    )
    return CorpusText(document.text, tuple(found))
