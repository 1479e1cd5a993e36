"""Texts with labels, to learn from and to be judged by: a table of one's own, or a task.

What is held out goes by the texts alone, so that models trained on few examples and on many are
judged by the same ones.
"""

from __future__ import annotations

import collections
import functools
import hashlib
import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.sentences import read_sentences
from explorer.learning.tuning.forms.classes import ClassesForm, ExampleText
from explorer.learning.tuning.forms.learnt import (
    LabelledTexts,
    missing_labels,
    refuse_few,
    refuse_labels,
    refuse_unlabelled,
    shares_drawn,
)
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.world.tasks import films, trades

DRAWN: Final = 20_000
"""Texts of a task that are drawn at most for those to be trained on."""
TASK_HELD_OUT: Final = 500
_SALT: Final = "labelled 1"


@dataclass
class _Counted:
    """What was read of a table."""

    rows: list[tuple[str, str | None, str]] = field(default_factory=list)
    unlabelled: int = 0


def labelled_table(path: str, column: str = "", pair_column: str = "") -> LabelledTexts:
    """The labelled texts of a table.

    Args:
        path: As it was typed. Words with labels, answers in passages and choices are told by what
            the file holds (`forms.tables`); of classes, what is read, and from which columns, is as
            `read_sentences` has it, and who names a column asks for these.
        column: That of texts; "" finds it.
        pair_column: That of second texts; "" finds it.

    Raises:
        UserMistake: It can't be read, or nothing can be learnt from it.
    """
    name = Path(path).name
    if not column and not pair_column:
        from explorer.learning.tuning.forms.tables import other_form

        other = other_form(typed_path(path))
        if other is not None:
            return other
    found = _Counted()
    for one in read_sentences(typed_path(path), column, pair_column):
        label = (one.expected or "").strip()
        if label:
            found.rows.append((one.text, one.pair, label))
        else:
            found.unlabelled += 1
    counts = collections.Counter(label for _, _, label in found.rows)
    _refuse(name, found, counts)
    names = tuple(sorted(counts, key=_by_number))
    numbers = {label: number for number, label in enumerate(names)}
    rows = [ExampleText(text, pair, numbers[label]) for text, pair, label in found.rows]
    training, held_out = _apart(rows)
    there = ({one.label for one in some} for some in (training, held_out))
    notes = [*_notes(found, counts, rows), *missing_labels(names, *there)]
    return LabelledTexts(ClassesForm(), names, training, held_out, tuple(notes))


def _by_number(label: str) -> tuple[int, str]:
    """Numbers go by their size, words by the alphabet."""
    return (int(label), label) if label.isascii() and label.isdecimal() else (0, label)


def _refuse(name: str, found: _Counted, counts: Mapping[str, int]) -> None:
    refuse_unlabelled(name, counts)
    refuse_few(name, len(found.rows))
    refuse_labels(name, counts)


def _notes(
    found: _Counted, counts: Mapping[str, int], rows: Sequence[ExampleText]
) -> Iterable[Phrase]:
    if found.unlabelled:
        yield Phrase(
            NN_("{count} text has no label and is left out.",
                "{count} texts have no label and are left out."),
            count=found.unlabelled,
        )  # fmt: skip
    labels: dict[tuple[str, str | None], set[int]] = {}
    for one in rows:
        labels.setdefault((one.text, one.pair), set()).add(one.label)
    twofold = sum(len(own) > 1 for own in labels.values())
    if twofold:
        yield Phrase(
            NN_("{count} text has several labels: no model is right of it each time.",
                "{count} texts have several labels: no model is right of them each time."),
            count=twofold,
        )  # fmt: skip
    share = max(counts.values()) / sum(counts.values())
    label = max(counts, key=lambda one: counts[one])
    if share >= 0.9:
        yield Phrase(
            N_("{share} of the texts are “{label}”: whoever always says so is right as often."),
            share=f"{share:.0%}",
            label=verbatim(label),
        )


def _apart(
    rows: Sequence[ExampleText],
) -> tuple[tuple[ExampleText, ...], tuple[ExampleText, ...]]:
    """What is learnt from, and what is held out: of each label one in five, by its words.

    A text that is there several times is on one side; a label of one text is learnt from.
    """
    by_label: dict[int, dict[tuple[str, str | None], None]] = {}
    for one in rows:
        by_label.setdefault(one.label, {})[one.text, one.pair] = None
    kept = frozenset[tuple[str, str | None]]().union(
        *(shares_drawn(texts, _drawn, len(by_label)) for texts in by_label.values())
    )
    # A text of several labels may take away the last one that is learnt of another label.
    training = tuple(one for one in rows if (one.text, one.pair) not in kept)
    held_out = tuple(one for one in rows if (one.text, one.pair) in kept)
    return training, held_out


def _drawn(text: tuple[str, str | None]) -> bytes:
    told = f"{_SALT}\n{text[0]}\n{text[1] or ''}"
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=8).digest()


@functools.lru_cache(maxsize=16)
def labelled_task(task: str, count: int, seed: int) -> LabelledTexts:
    """Texts of a task of the usual world; the runs of a claim learn from a few of them.

    Args:
        task: As `LabelledTask` has it.
        count: How many are learnt from; 0 for as many as are drawn at most.
        seed: Of what is drawn.
    """
    if task not in _TASKS:
        from explorer.learning.tuning.forms.of_world import DRAWN_FROM

        return DRAWN_FROM[task](count, seed)
    draw, names = _TASKS[task]
    numbers = {label: number for number, label in enumerate(names)}

    def labelled(one: films.TaskText) -> ExampleText:
        return ExampleText(one.text, one.pair, numbers[one.label])

    stream = films.task_texts(draw, seed)
    training = itertools.islice((one for one in stream if not one.is_withheld), count or DRAWN)
    others = films.task_texts(draw, films_seed(task))
    held_out = list(itertools.islice((one for one in others if one.is_withheld), TASK_HELD_OUT))
    best, least = films.best_reading(held_out) if task == "sentiment" else (1.0, 0.0)
    return LabelledTexts(
        ClassesForm(),
        names,
        tuple(map(labelled, training)),
        tuple(map(labelled, held_out)),
        (),
        best,
        least,
    )


def with_shuffled_labels(texts: LabelledTexts, seed: int) -> LabelledTexts:
    """The same texts to be learnt from, with their labels dealt out anew; what is held out stays.

    Args:
        texts: With one label each.
        seed: Of the order in which they are dealt.
    """
    labels = [one.label for one in texts.training]
    random.Random(seed).shuffle(labels)  # noqa: S311
    pairs = zip(texts.training, labels, strict=True)
    return replace(texts, training=tuple(replace(one, label=label) for one, label in pairs))


def films_seed(task: str) -> int:
    """Of the held-out texts of a task, which are the same for every run."""
    return int.from_bytes(hashlib.blake2b(task.encode(), digest_size=4).digest())


_TASKS: Final = {
    "sentiment": (films.sentiment, (films.NEGATIVE, films.POSITIVE)),
    "inference": (films.inference, (films.CONTRADICTED, films.NEUTRAL, films.ENTAILED)),
    "paraphrase": (films.paraphrase, (films.OTHER, films.SAME)),
    "trades": (trades.trade, tuple(trades.LABELS.values())),
}
