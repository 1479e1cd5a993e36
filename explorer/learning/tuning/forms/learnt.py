"""What is learnt from and what judges it, whatever its form, and what is refused of any table."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from explorer.api.question import UserMistake
from explorer.learning.tuning.forms.form import TaskForm
from explorer.text import N_, Phrase, verbatim

LEAST: Final = 10
"""Labelled texts of a table."""
MOST_LABELS: Final = 100
MOST_HELD_OUT: Final = 1000
HELD_OUT: Final = 5
"""One text in so many is held out."""
SHOWN: Final = 3
_WORD: Final = re.compile(r"\w+|[^\w\s]")

Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class LabelledTexts:
    """What is learnt from, and what it is judged by.

    Attributes:
        form: Of the task.
        names: The labels; none where there are no classes.
        training: To be learnt from.
        held_out: Texts of which none is learnt from.
        notes: What is to be said of them.
        best: How often the best reader is right of what is held out; None where nobody knows.
        least_loss: The least cross-entropy there, in nats; None likewise.
    """

    form: TaskForm
    names: tuple[str, ...]
    training: tuple[Any, ...]
    held_out: tuple[Any, ...]
    notes: tuple[Phrase, ...] = ()
    best: float | None = None
    least_loss: float | None = None

    @functools.cached_property
    def words(self) -> Mapping[int, int]:
        """Words and marks of each example, counted once: by its `id`, as long texts are no keys."""
        every = (*self.training, *self.held_out)
        return {id(one): sum(len(_WORD.findall(part)) for part in one.read) for one in every}

    def first(self, count: int, seed: int) -> tuple[Any, ...]:
        """So many of those to be learnt from, or all where it is 0, drawn with a seed.

        Every label is there once where the count has room for all of them: fewer examples are the
        beginning of more.
        """
        import numpy as np  # a plan is read where nobody needs arrays yet

        order = np.random.default_rng((seed, len(self.training))).permutation(len(self.training))
        shuffled = [self.training[at] for at in order]
        labels = [getattr(one, "label", 0) if self.names else 0 for one in shuffled]
        firsts = {label: at for at, label in reversed(list(enumerate(labels)))}
        ahead = sorted(firsts.values())
        rest = [at for at in range(len(shuffled)) if at not in set(ahead)]
        chosen = [shuffled[at] for at in (*ahead, *rest)]
        return tuple(chosen[: count or None])


def refuse_unlabelled(name: str, counts: Mapping[str, int]) -> None:
    """Refuse a table without any label.

    Raises:
        UserMistake: It has none.
    """
    if not counts:
        raise UserMistake(
            N_("{name} does not say of any text which label is right."),
            N_("Name the column of labels “label”, and fill it."),
            name=name,
        )


def refuse_few(name: str, count: int) -> None:
    """Refuse a table of too few examples.

    Raises:
        UserMistake: They are too few.
    """
    if count < LEAST:
        raise UserMistake(
            N_("{name} has {count} labelled texts: a model needs {least} or more."),
            count=count,
            name=name,
            least=LEAST,
        )


def refuse_labels(name: str, counts: Mapping[str, int]) -> None:
    """Refuse labels that teach nothing, or are no classes.

    Raises:
        UserMistake: There is one alone, or there are too many.
    """
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


def missing_labels(
    names: Sequence[str], training: AbstractSet[int], held_out: AbstractSet[int]
) -> Iterable[Phrase]:
    """Labels of which nothing is learnt, or nothing is held out.

    Args:
        names: All labels.
        training: Numbers of those that are learnt from.
        held_out: Numbers of those that are held out.
    """
    for there, told in (
        (training, N_("Only held-out texts are “{labels}”: nothing can be learnt of it.")),
        (held_out, N_("No held-out text is “{labels}”: nobody can say how well it is learnt.")),
    ):
        lacking = [verbatim(name) for number, name in enumerate(names) if number not in there]
        if lacking:
            more = len(lacking) - SHOWN
            shown = "”, “".join(lacking[:SHOWN]) + ("”, …" if more > 0 else "")
            yield Phrase(told, labels=shown)


def shares_drawn(
    texts: Iterable[Drawn], drawn: Callable[[Drawn], bytes], parts: int = 1
) -> frozenset[Drawn]:
    """One in five of some texts, which are held out; of several none where there is one alone.

    Args:
        texts: Each once.
        drawn: By what of a text it is drawn.
        parts: How many labels share what may be held out at most.
    """
    ordered = sorted(texts, key=drawn)
    most = max(1, MOST_HELD_OUT // parts)
    return frozenset(ordered[: min(most, max(len(ordered) > 1, len(ordered) // HELD_OUT))])
