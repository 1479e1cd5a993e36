"""Classes of which one is chosen, each with its probability, as one model or two give them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.headline import Headline
from explorer.api.question.parts.part import SILENT, Part
from explorer.api.question.rows.rows import Cell, Table, column
from explorer.api.question.standing_out import FLAT, beyond, lead
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits, in_percent


@dataclass(frozen=True)
class ClassScores:
    """What one model gives every class.

    Attributes:
        model: Its id.
        labels: Names of the classes.
        logits: A raw score each.
        probabilities: Of each.
        named: What people call them, where that is something else; marked for translation.
    """

    model: str
    labels: tuple[str, ...]
    logits: NDArray[np.floating]
    probabilities: NDArray[np.floating]
    named: tuple[str, ...] = ()

    @property
    def best(self) -> int:
        """The number of the likeliest class."""
        return int(self.logits.argmax())

    @property
    def ranked(self) -> tuple[int, ...]:
        """Numbers of the classes, the likeliest first."""
        return tuple(np.argsort(-self.probabilities, kind="stable").tolist())

    def name(self, number: int) -> str:
        """What people call a class: a Phrase, or its own name."""
        return Phrase(self.named[number]) if self.named else self.labels[number]

    def share(self, number: int) -> float:
        """The probability of a class."""
        return float(self.probabilities[number])


@dataclass(frozen=True)
class ClassRow:
    """A class, as one model gives it."""

    model: str = column(N_("model"), key=True)
    number: int = column(N_("number"), compared=False)
    label: str = column(N_("label"), key=True)
    probability: float = column(N_("probability"), written=in_digits)
    logit: float = column(N_("logit"), digits=2, tip=N_("Its raw score, before the softmax."))


@dataclass(frozen=True)
class Classes(Part):
    """What each model gives every class.

    Attributes:
        judged: A model each: the one that is asked, and those it is compared with.
        expected: The number of the right class of the first; None where nobody knows.
        drawn: The number of the model that is drawn, where each stands in a card of its own; None
            for all.
        lane: Of the exact answer that is laid beside; None where there is none.
    """

    TITLES: ClassVar[Mapping[str, str]] = {
        "label": N_("class"),
        "probability": N_("probability"),
        "second_label": N_("class, second model"),
        "second_probability": N_("probability, second model"),
        "right": N_("right"),
    }

    judged: tuple[ClassScores, ...]
    expected: int | None = None
    drawn: int | None = None
    lane: str | None = None

    def parts_with_rows(self) -> Iterator[tuple[str, Part]]:
        """Itself, once: the rows are of all models."""
        if not self.drawn:
            yield from super().parts_with_rows()

    def table(self) -> Table:
        """One row a model and a class."""
        rows = (
            ClassRow(one.model, number, label, one.share(number), float(one.logits[number]))
            for one in self.judged
            for number, label in enumerate(one.labels)
        )
        return Table.of(ClassRow, rows)

    def summary(self) -> Mapping[str, Cell]:
        """The likeliest class of the first model, and of the second one."""
        first, *others = self.judged
        row: dict[str, Cell] = {
            "label": first.labels[first.best],
            "probability": first.share(first.best),
        }
        for other in others:
            row["second_label"] = other.labels[other.best]
            row["second_probability"] = other.share(other.best)
        if self.expected is not None:
            row["right"] = int(first.best == self.expected)
        return row

    def headline(self) -> Headline:
        """What two models of the same classes say, or how clear the class of the first is."""
        if not self.judged:
            return SILENT
        first, *others = self.judged
        for other in others:
            matched = matched_by_name(first.labels, other.labels)
            if matched is not None:
                strength = beyond(min(first.share(first.best), other.share(other.best)), FLAT, 1.0)
                agree = matched[first.best] == other.best
                return Headline(_of_two(first, other, agree=agree), strength=strength)
        sentence = lead([(first.name(number), first.share(number)) for number in first.ranked])
        return Headline(sentence, strength=beyond(first.share(first.best), FLAT, 1.0))


def _of_two(one: ClassScores, other: ClassScores, *, agree: bool) -> Phrase:
    values = {
        "one": one.model,
        "label": one.name(one.best),
        "share": in_percent(one.share(one.best)),
        "other": other.model,
        "its": in_percent(other.share(other.best)),
    }
    if agree:
        return Phrase(
            N_("Both models say “{label}”: {one} with {share}, {other} with {its}."), **values
        )
    return Phrase(
        N_("The models disagree: {one} says “{label}” ({share}), {other} “{second}” ({its})."),
        second=other.name(other.best),
        **values,
    )


def matched_by_name(names: Sequence[str], others: Sequence[str]) -> tuple[int, ...] | None:
    """Where each class of one classifier stands among another's, capital letters or not.

    Which number a class has is an accident of training: of two models of one task, one may begin
    with "contradiction" and the other with "entailment".

    Args:
        names: Of one classifier's classes, in the order of its scores.
        others: Of the other's.

    Returns:
        For each of `names` the number of the other's class; None where the two sets of names
        differ, or a name stands twice in one of them.
    """
    folded, found = ([one.casefold() for one in labels] for labels in (names, others))
    if len({*folded}) < len(folded) or sorted(folded) != sorted(found):
        return None
    return tuple(map(found.index, folded))
