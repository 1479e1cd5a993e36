"""What every form of a task is: how examples become batches, what is lost, how it is judged."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from explorer.api.question import UserMistake
from explorer.text import N_

NOT_ASKED: Final = -100
"""The label of what is not asked, as torch's cross-entropy leaves it out."""

Row = Mapping[str, Any]
"""An example in pieces: what the tokenizer makes of it, and under "labels" what is right."""


@dataclass(frozen=True)
class AnsweredOne:
    """Something that was asked: a text, a word, a question.

    Attributes:
        text: What was read, as people read it.
        right: What is right.
        said: What the model says.
        share: How probable that is to it.
        is_right: Whether it is right.
        f1: How near it is to that, where being right has degrees.
    """

    text: str
    right: str
    said: str
    share: float
    is_right: bool
    f1: float | None = None


class TaskForm(ABC):
    """A form of a task.

    Attributes:
        name: As it is asked for.
        mapping: The name of transformers' mapping from configs to classes with its head.
        peft: The task's type as peft calls it; "" for none of its own.
        has_offsets: Whether it must know which characters a token stands for.
    """

    name: ClassVar[str]
    mapping: ClassVar[str]
    peft: ClassVar[str]
    has_offsets: ClassVar[bool] = True

    @abstractmethod
    def rows(self, tokenizer: Any, examples: Sequence[Any], length: int) -> list[Row]:
        """Examples in pieces, at most so many tokens each."""

    @abstractmethod
    def tensors(self, tokenizer: Any, rows: Sequence[Row]) -> dict[str, Any]:
        """Rows as a batch, each as long as the longest, filled up at the right."""

    @abstractmethod
    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """What is lost on a batch in nats, as "loss_…", and how often it is right."""

    @abstractmethod
    def ask(self, model: Any, batch: Mapping[str, Any]) -> Sequence[tuple[Any, float, int]]:
        """Ask a model of a batch.

        Returns:
            Of each row what it says, as JSON has it, what it loses in nats, and on how much.
        """

    @abstractmethod
    def answered(self, said: Any, example: Any, names: Sequence[str]) -> Sequence[AnsweredOne]:
        """What a model said of an example, laid next to what is right."""

    def measures(
        self, said: Sequence[Any], examples: Sequence[Any], names: Sequence[str]
    ) -> dict[str, float]:
        """What else is measured: the mean F1 of the labels that are there or were said."""
        asked = [
            each
            for one, example in zip(said, examples, strict=True)
            for each in self.answered(one, example, names)
        ]
        rights, saids = Counter(one.right for one in asked), Counter(one.said for one in asked)
        hits = Counter(one.right for one in asked if one.is_right)
        scores = [2 * hits[name] / (rights[name] + saids[name]) for name in {*rights, *saids}]
        return {"f1": math.fsum(scores) / len(scores)}

    def configure(self, config: Any, names: Sequence[str]) -> None:
        """Have a config make a head for these labels."""
        config.id2label = dict(enumerate(names))
        config.label2id = {name: number for number, name in enumerate(names)}

    def check(self, tokenizer: Any, name: str) -> None:
        """Refuse a tokenizer that the form can't do with.

        Raises:
            UserMistake: It can't tell which characters a token stands for.
        """
        if self.has_offsets and not tokenizer.is_fast:
            raise UserMistake(
                N_("The tokenizer of {name} can't tell which characters a token stands for."),
                N_("Have it learn classes of texts or choices, or choose another model."),
                name=name,
            )


def longest(row: Row) -> int:
    """Tokens of an example, or of the longest of its choices."""
    read = row["input_ids"]
    return max(map(len, read)) if read and isinstance(read[0], Sequence) else len(read)


def encoded(tokenizer: Any, *sides: list[str], length: int, **options: Any) -> list[dict[str, Any]]:
    """Texts, or pairs of them, in pieces."""
    made = tokenizer(*sides, max_length=length, **{"truncation": True, **options})
    return [{name: made[name][at] for name in made} for at in range(len(sides[0]))]


def padded_rows(tokenizer: Any, rows: Sequence[Row]) -> dict[str, Any]:
    """What the tokenizer made of rows, as tensors, each as long as the longest."""
    known = {*tokenizer.model_input_names, "input_ids"}
    made = tokenizer.pad(
        [{name: one for name, one in row.items() if name in known} for row in rows],
        padding=True,
        padding_side="right",
        return_tensors="pt",
    )
    return dict(made)


def told_of_each(scores: Any, labels: Any) -> list[tuple[list[float], float, int]]:
    """Of each row its softmax, and the cross-entropy of its label in nats.

    Args:
        scores: Shape [rows, classes].
        labels: Shape [rows].
    """
    logs = scores.cpu().double().log_softmax(-1)
    lost = -logs.gather(-1, labels.cpu()[:, None])[:, 0]
    pairs = zip(logs.exp().tolist(), lost.tolist(), strict=True)
    return [(shares, loss, 1) for shares, loss in pairs]


def without_labels(batch: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """What a model is given of a batch."""
    return {name: one for name, one in batch.items() if name != "labels" and name not in more}


def joined(tokenizer: Any, first: list[str], second: list[str]) -> tuple[list[str], ...]:
    """Pairs of texts as the tokenizer takes them; without a separator they are one text."""
    if tokenizer.sep_token is not None:
        return first, second
    between = f" {tokenizer.eos_token} " if tokenizer.eos_token else " "
    return ([f"{one}{between}{other}" for one, other in zip(first, second, strict=True)],)
