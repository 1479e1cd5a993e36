"""Texts with labels, to learn from and to be judged by: a table of one's own, or a task.

What is held out goes by the texts alone, so that models trained on few examples and on many are
judged by the same ones.
"""

from __future__ import annotations

import collections
import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from explorer.api.question import UserMistake
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.sentences import read_sentences
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.world.tasks import films

LEAST: Final = 10
"""Labelled texts of a table."""
MOST_LABELS: Final = 100
MOST_HELD_OUT: Final = 1000
HELD_OUT: Final = 5
"""One text in so many is held out."""
DRAWN: Final = 20_000
"""Texts of a task that are drawn at most for those to be trained on."""
TASK_HELD_OUT: Final = 500
_SALT: Final = "labelled 1"
SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class ExampleText:
    """A text, or a pair, with its label.

    Attributes:
        text: The text.
        pair: The second one, or None.
        label: Its label's number.
    """

    text: str
    pair: str | None
    label: int


@dataclass(frozen=True)
class LabelledTexts:
    """What is learnt from, and what it is judged by.

    Attributes:
        names: The labels.
        training: To be learnt from.
        held_out: Texts of which none is learnt from.
        notes: What is to be said of them.
        best: How often the best reader is right of what is held out; None where nobody knows.
        least_loss: The least cross-entropy there, in nats; None likewise.
    """

    names: tuple[str, ...]
    training: tuple[ExampleText, ...]
    held_out: tuple[ExampleText, ...]
    notes: tuple[Phrase, ...] = ()
    best: float | None = None
    least_loss: float | None = None

    @property
    def has_pairs(self) -> bool:
        """Whether there are second texts."""
        return any(one.pair is not None for one in self.training)

    def first(self, count: int, seed: int) -> tuple[ExampleText, ...]:
        """So many of those to be learnt from, or all where it is 0, drawn with a seed.

        Every label is there once where the count has room for all of them: fewer examples are the
        beginning of more.
        """
        import numpy as np  # a plan is read where nobody needs arrays yet

        order = np.random.default_rng((seed, len(self.training))).permutation(len(self.training))
        shuffled = [self.training[at] for at in order]
        firsts = {one.label: at for at, one in reversed(list(enumerate(shuffled)))}
        ahead = sorted(firsts.values())
        rest = [at for at in range(len(shuffled)) if at not in set(ahead)]
        chosen = [shuffled[at] for at in (*ahead, *rest)]
        return tuple(chosen[: count or None])


@dataclass
class _Counted:
    """What was read of a table."""

    rows: list[tuple[str, str | None, str]] = field(default_factory=list)
    unlabelled: int = 0


def labelled_table(path: str, column: str = "", pair_column: str = "") -> LabelledTexts:
    """The labelled texts of a table.

    Args:
        path: As it was typed; what is read, and from which columns, is as `read_sentences` has it.
        column: That of texts; "" finds it.
        pair_column: That of second texts; "" finds it.

    Raises:
        UserMistake: It can't be read, or nothing can be learnt from it.
    """
    name = Path(path).name
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
    notes = [*_notes(found, counts, rows), *_missing(names, training, held_out)]
    return LabelledTexts(names, training, held_out, tuple(notes))


def _by_number(label: str) -> tuple[int, str]:
    """Numbers go by their size, words by the alphabet."""
    return (int(label), label) if label.isascii() and label.isdecimal() else (0, label)


def _refuse(name: str, found: _Counted, counts: Mapping[str, int]) -> None:
    if not counts:
        raise UserMistake(
            N_("{name} does not say of any text which label is right."),
            N_("Name the column of labels “label”, and fill it."),
            name=name,
        )
    if len(found.rows) < LEAST:
        raise UserMistake(
            N_("{name} has {count} labelled texts: a model needs {least} or more."),
            count=len(found.rows),
            name=name,
            least=LEAST,
        )
    if len(counts) == 1:
        raise UserMistake(
            N_("All labelled texts of {name} have the label “{label}”: there is nothing to learn."),
            N_("Add texts with another label."),
            name=name,
            label=verbatim(next(iter(counts))),
        )
    if len(counts) > MOST_LABELS:
        raise UserMistake(
            N_("{name} has {count} different labels, more than {most}."),
            N_("Labels are classes: numbers that measure something can’t be learnt here."),
            name=name,
            count=len(counts),
            most=MOST_LABELS,
        )


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


def _missing(
    names: Sequence[str], training: Iterable[ExampleText], held_out: Iterable[ExampleText]
) -> Iterable[Phrase]:
    """Labels of which nothing is learnt, or nothing is held out."""
    for among, told in (
        (training, N_("Only held-out texts are “{labels}”: nothing can be learnt of it.")),
        (held_out, N_("No held-out text is “{labels}”: nobody can say how well it is learnt.")),
    ):
        there = {one.label for one in among}
        lacking = [verbatim(name) for number, name in enumerate(names) if number not in there]
        if lacking:
            more = len(lacking) - SHOWN
            shown = "”, “".join(lacking[:SHOWN]) + ("”, …" if more > 0 else "")
            yield Phrase(told, labels=shown)


def _apart(
    rows: Sequence[ExampleText],
) -> tuple[tuple[ExampleText, ...], tuple[ExampleText, ...]]:
    """What is learnt from, and what is held out: of each label one in five, by its words.

    A text that is there several times is on one side; a label of one text is learnt from.
    """
    kept: set[tuple[str, str | None]] = set()
    by_label: dict[int, dict[tuple[str, str | None], None]] = {}
    for one in rows:
        by_label.setdefault(one.label, {})[one.text, one.pair] = None
    most = max(1, MOST_HELD_OUT // len(by_label))
    for texts in by_label.values():
        ordered = sorted(texts, key=_drawn)
        kept.update(ordered[: min(most, max(len(ordered) > 1, len(ordered) // HELD_OUT))])
    # A text of several labels may take away the last one that is learnt of another label.
    training = tuple(one for one in rows if (one.text, one.pair) not in kept)
    held_out = tuple(one for one in rows if (one.text, one.pair) in kept)
    return training, held_out


def _drawn(text: tuple[str, str | None]) -> bytes:
    told = f"{_SALT}\n{text[0]}\n{text[1] or ''}"
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=8).digest()


def labelled_task(task: str, count: int, seed: int) -> LabelledTexts:
    """Texts of a task of the usual world.

    Args:
        task: "sentiment", "inference" or "paraphrase".
        count: How many are learnt from; 0 for as many as are drawn at most.
        seed: Of what is drawn.
    """
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
        names, tuple(map(labelled, training)), tuple(map(labelled, held_out)), (), best, least
    )


def films_seed(task: str) -> int:
    """Of the held-out texts of a task, which are the same for every run."""
    return int.from_bytes(hashlib.blake2b(task.encode(), digest_size=4).digest())


_TASKS: Final = {
    "sentiment": (films.sentiment, (films.NEGATIVE, films.POSITIVE)),
    "inference": (films.inference, (films.CONTRADICTED, films.NEUTRAL, films.ENTAILED)),
    "paraphrase": (films.paraphrase, (films.OTHER, films.SAME)),
}
