"""Texts whose words have labels: of the small world, or of a user's file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files_of_sentences.formats.conllu import USUAL, FileWord
from explorer.files_of_sentences.formats.labelled_words import read_labels
from explorer.text import N_, NN_
from explorer.world.corpus import HELD_OUT_SEED, documents, has_withheld, sentence_words
from explorer.world.labelling.knowledge_spans import word_offsets
from explorer.world.labelling.labels import KINDS

FEWEST = 10
"""Texts without which there is nothing to train on and to test with."""


@dataclass(frozen=True)
class LabelledWord:
    """A word with a label.

    Attributes:
        type: The word itself, in lower case.
        start: Its first character.
        end: One past its last.
        label: What it is.
        sentence: The words of its sentence: what may not be on both sides of a split.
    """

    type: str
    start: int
    end: int
    label: str
    sentence: tuple[str, ...]


@dataclass(frozen=True)
class LabelledText:
    """A text that is read at once, with those of its words that have a label."""

    text: str
    words: tuple[LabelledWord, ...]


def world_texts(
    kind: str, most: int, check: Callable[[], None], *, every: bool = False
) -> list[LabelledText]:
    """Texts of the small world that no miniature was trained on, each with a label at least.

    Args:
        kind: Which labels.
        most: How many texts.
        check: Called now and then; may raise to stop.
        every: With the words that have no label, whose label is "".
    """
    found: dict[tuple[str, ...], LabelledText] = {}
    for document in documents(HELD_OUT_SEED):
        check()
        if len(found) == most:
            break
        if document.words in found or not has_withheld(document):
            continue
        labels = KINDS[kind](document)
        sentences = [one for one in sentence_words(document.words) for _ in one]
        told = zip(document.words, word_offsets(document), labels, sentences, strict=True)
        words = tuple(
            LabelledWord(word.lower(), start, end, label or "", sentence)
            for word, (start, end), label, sentence in told
            if every or label is not None
        )
        if any(word.label for word in words):
            found[document.words] = LabelledText(document.text, words)
    return list(found.values())


def file_texts(path: Path, column: str, most: int, *, every: bool = False) -> list[LabelledText]:
    """The first sentences of a file, each once, with the labels of its words.

    Args:
        path: The file.
        column: As in `read_labels`.
        most: How many sentences.
        every: With the words that have no label, whose label is "".

    Raises:
        UserMistake: As `read_labels`; or its words have fewer than two different labels.
    """
    found: dict[tuple[str, ...], LabelledText] = {}
    for sentence in read_labels(path, column):
        if len(found) == most:
            break
        text, words = _written(sentence)
        key = tuple(one.word.lower() for one in sentence)
        found.setdefault(
            key,
            LabelledText(
                text,
                tuple(
                    LabelledWord(one.word.lower(), start, end, one.label, key)
                    for one, (start, end) in zip(sentence, words, strict=True)
                    if every or one.label
                ),
            ),
        )
    if len(found) < FEWEST:
        raise UserMistake(
            NN_(
                "{name} has {count} sentence, and a probe needs {fewest}.",
                "{name} has {count} sentences, and a probe needs {fewest}.",
            ),
            N_("Put an empty line after every sentence."),
            count=len(found),
            name=path.name,
            fewest=FEWEST,
        )
    labels = {word.label for one in found.values() for word in one.words} - {""}
    if not labels:
        raise UserMistake(
            N_("No word of {name} has a label in “{column}”."),
            N_("Choose a column (UPOS, DEPREL) or a feature that it has (Number)."),
            name=path.name,
            column=column or USUAL,
        )
    if len(labels) < 2:
        raise UserMistake(
            N_("All words of {name} have one label, so there is nothing to learn."),
            N_("Choose another file, or another column."),
            name=path.name,
        )
    return list(found.values())


def _written(sentence: tuple[FileWord, ...]) -> tuple[str, list[tuple[int, int]]]:
    """A sentence as it is written, and where its words are in it."""
    text = ""
    places: list[tuple[int, int]] = []
    for one in sentence:
        places.append((len(text), len(text) + len(one.word)))
        text += one.word + one.after
    return text.rstrip(), places
