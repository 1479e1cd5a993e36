"""Tables of one's own that are no classes of texts, told by what they hold.

* Words with labels: a .conllu file, or a .txt or .tsv with a word, a tab and its label on every
  line, and an empty line after a sentence.
* Answers in passages: a .json file as SQuAD has it, or a table with the columns "context" (or
  "passage"), "question" and "answers" (or "answer"), several with "|" between them; an empty cell
  says that there is no answer.
* Choices: a table with the columns "ending0", "ending1" … and "label", the right one's number, with
  what goes before in "sent1" and "sent2" (as SWAG has it) or "context"; or with "question",
  "choices" ("|" between them) and "answer" (or "label"): the right one, its letter or its number.
"""

from __future__ import annotations

import collections
import hashlib
import itertools
import string
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from explorer.api.question import UserMistake
from explorer.files_of_sentences.formats.conllu import CONLLU
from explorer.files_of_sentences.formats.labelled_words import read_labels
from explorer.files_of_sentences.formats.layout import PASSAGE_NAMES
from explorer.files_of_sentences.formats.squad_files import asked_in
from explorer.files_of_sentences.sentences import SQUAD, lines_of, named_rows
from explorer.learning.tuning.forms.choices import ChoiceExample, ChoicesForm
from explorer.learning.tuning.forms.form import NOT_ASKED, TaskForm
from explorer.learning.tuning.forms.learnt import (
    LabelledTexts,
    missing_labels,
    refuse_few,
    refuse_labels,
    refuse_unlabelled,
    shares_drawn,
)
from explorer.learning.tuning.forms.spans import AskedPassage, SpansForm
from explorer.learning.tuning.forms.words import WordLabelledText, WordsForm
from explorer.text import N_, NN_, Phrase

LOOKED_AT: Final = 60
"""Lines by which words with labels are told from texts with labels."""
_FIRST: Final = "ending0"
_BEFORE: Final = ("context", "question", "startphrase", "text", "premise")

Example = TypeVar("Example")


def other_form(path: Path) -> LabelledTexts | None:
    """What a file has to be learnt that is no class of a text; None for classes.

    Raises:
        UserMistake: It can't be read, or nothing can be learnt from it.
    """
    if path.suffix.lower() == SQUAD:
        return _passages(path.name, ((one, q, told) for _, one, q, told in asked_in(path)))
    if _has_words(path):
        return _words(path)
    if path.suffix.lower() == ".txt":
        return None
    rows = (row for _number, row in named_rows(path))
    first = next(rows, None)
    if first is None:
        return None
    every = itertools.chain((first,), rows)
    if _FIRST in first:
        return _choices(path.name, map(_of_endings, every))
    if "choices" in first and {"answer", "label"} & first.keys():
        return _choices(path.name, map(_of_question, every))
    passage = next((name for name in PASSAGE_NAMES if name in first), None)
    right = next((name for name in ("answers", "answer") if name in first), None)
    if passage and right and "question" in first:
        return _passages(path.name, ((row[passage], row["question"], row[right]) for row in every))
    return None


def _has_words(path: Path) -> bool:
    """Whether a file has a word and its label on every line."""
    ending = path.suffix.lower()
    if ending in CONLLU:
        return True
    if ending not in {".txt", ".tsv"}:
        return False
    parted = False
    for number, line in lines_of(path):
        cells = line.strip("\r\n").split("\t")
        if not line.strip():
            parted = True
        elif len(cells) != 2 or " " in cells[0].strip() or not all(one.strip() for one in cells):
            return False
        if number >= LOOKED_AT:
            break
    return parted


def _words(path: Path) -> LabelledTexts:
    read = []
    for sentence in read_labels(path):
        text, places = "", []
        for one in sentence:
            places.append((len(text), len(text) + len(one.word)))
            text += one.word + one.after
        read.append((text.rstrip(), tuple(places), tuple(one.label for one in sentence)))
    counts = collections.Counter(label for *_, labels in read for label in labels if label)
    refuse_unlabelled(path.name, counts)
    refuse_few(path.name, len(read))
    refuse_labels(path.name, counts)
    names = tuple(sorted(counts))
    numbers = {name: number for number, name in enumerate(names)} | {"": NOT_ASKED}
    every = [
        WordLabelledText(text, places, tuple(numbers[label] for label in labels))
        for text, places, labels in read
    ]
    training, held_out = _apart(every, lambda one: one.text)
    there = [[label for one in some for label in one.labels] for some in (training, held_out)]
    notes = missing_labels(names, *map(set, there))
    return LabelledTexts(WordsForm(), names, training, held_out, tuple(notes))


def _passages(name: str, rows: Iterator[tuple[str, str, str]]) -> LabelledTexts:
    found, lost = [], 0
    for passage, question, told in rows:
        if not passage.strip() or not question.strip():
            continue
        rights = [one.strip() for one in told.split("|") if one.strip()]
        places = [(passage.find(one), len(one)) for one in rights]
        spans = tuple((at, at + length) for at, length in places if at >= 0)
        if rights and not spans:
            lost += 1
            continue
        found.append(AskedPassage(question.strip(), passage, spans))
    notes = []
    if lost:
        notes.append(Phrase(
            NN_("{count} answer is not written in its passage and is left out.",
                "{count} answers are not written in their passages and are left out."),
            count=lost,
        ))  # fmt: skip
    if not any(one.answers for one in found):
        raise UserMistake(
            N_("No answer of {name} is written in its passage."),
            N_("An answer is a part of its passage, letter by letter."),
            name=name,
        )
    # A passage is learnt from or held out with all its questions.
    return _texts(SpansForm(), name, found, lambda one: one.passage, notes)


def _of_endings(row: Mapping[str, str]) -> tuple[str, list[str], str]:
    """What goes before, the choices, and what is said of the right one."""
    names = [name for name in row if name.startswith("ending") and row[name].strip()]
    before, opening = row.get("sent1", ""), row.get("sent2", "").strip()
    if not before:
        before = next((row[name] for name in _BEFORE if name in row), "")
    choices = [f"{opening} {row[name].strip()}".strip() for name in names]
    return before.strip(), choices, row.get("label", "").strip()


def _of_question(row: Mapping[str, str]) -> tuple[str, list[str], str]:
    before = next((row[name] for name in ("question", *_BEFORE) if name in row), "")
    choices = [one.strip() for one in row["choices"].split("|") if one.strip()]
    told = row.get("answer", "").strip() or row.get("label", "").strip()
    return before.strip(), choices, told


def _choices(name: str, rows: Iterator[tuple[str, list[str], str]]) -> LabelledTexts:
    found, lost = [], 0
    for text, choices, told in rows:
        number = _number(told, choices)
        if not text or len(choices) < 2 or number is None:
            lost += 1
            continue
        found.append(ChoiceExample(text, tuple(choices), number))
    notes = []
    if lost:
        notes.append(Phrase(
            NN_("{count} row has no text, no two choices, or none that is right, and is left out.",
                "{count} rows have no text, no two choices, or none that is right, and are left "
                "out."),
            count=lost,
        ))  # fmt: skip
    return _texts(ChoicesForm(), name, found, lambda one: one.text, notes)


def _number(told: str, choices: Sequence[str]) -> int | None:
    """Which choice is right: by its text, its number from 0, or its letter."""
    if told in choices:
        return choices.index(told)
    if told.isascii() and told.isdecimal():
        number = int(told)
    elif len(told) == 1 and told.upper() in string.ascii_uppercase:
        number = string.ascii_uppercase.index(told.upper())
    else:
        return None
    return number if number < len(choices) else None


def _texts(
    form: TaskForm, name: str, found: Sequence[Any], of: Any, notes: Sequence[Phrase]
) -> LabelledTexts:
    refuse_few(name, len(found))
    training, held_out = _apart(found, of)
    return LabelledTexts(form, (), training, held_out, tuple(notes))


def _apart(examples: Sequence[Example], of: Any) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """What is learnt from, and what is held out: one text in five, by its words."""
    kept = shares_drawn(dict.fromkeys(map(of, examples)), _drawn)
    training = tuple(one for one in examples if of(one) not in kept)
    return training, tuple(one for one in examples if of(one) in kept)


def _drawn(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
