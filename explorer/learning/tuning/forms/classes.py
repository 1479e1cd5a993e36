"""Classes of a text or a pair, as sentiment and inference have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from explorer.learning.tuning.forms.form import (
    AnsweredOne,
    Row,
    TaskForm,
    encoded,
    joined,
    padded_rows,
    told_of_each,
    without_labels,
)


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

    @property
    def read(self) -> tuple[str, ...]:
        """All that a model reads."""
        return (self.text,) if self.pair is None else (self.text, self.pair)


class ClassesForm(TaskForm):
    """A label of the whole text."""

    name: ClassVar = "classes"
    mapping: ClassVar = "MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING"
    peft: ClassVar = "SEQ_CLS"
    has_offsets: ClassVar = False

    def configure(self, config: Any, names: Sequence[str]) -> None:
        """With the loss of one label a text."""
        super().configure(config, names)
        config.problem_type = "single_label_classification"

    def rows(self, tokenizer: Any, examples: Sequence[ExampleText], length: int) -> list[Row]:
        """Texts, and second ones where there are any."""
        first = [one.text for one in examples]
        sides: tuple[list[str], ...] = (first,)
        if any(one.pair is not None for one in examples):
            sides = joined(tokenizer, first, [one.pair or "" for one in examples])
        made = encoded(tokenizer, *sides, length=length)
        return [{**read, "labels": one.label} for read, one in zip(made, examples, strict=True)]

    def tensors(self, tokenizer: Any, rows: Sequence[Row]) -> dict[str, Any]:
        """What the tokenizer makes, and "labels", shape [rows]."""
        import torch

        labels = torch.tensor([row["labels"] for row in rows])
        return {**padded_rows(tokenizer, rows), "labels": labels}

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The mean cross-entropy, and how often the label is right."""
        from torch.nn import functional

        logits = model(**without_labels(batch)).logits
        right = logits.argmax(-1) == batch["labels"]
        return {
            "loss_classes": functional.cross_entropy(logits, batch["labels"]),
            "classes_accuracy": right.float().mean(),
        }

    def ask(self, model: Any, batch: Mapping[str, Any]) -> Sequence[tuple[Any, float, int]]:
        """The probability of each label."""
        return told_of_each(model(**without_labels(batch)).logits, batch["labels"])

    def answered(
        self, said: Any, example: ExampleText, names: Sequence[str]
    ) -> Sequence[AnsweredOne]:
        """The likeliest label."""
        best = max(range(len(said)), key=said.__getitem__)
        text = " / ".join(example.read)
        right, is_right = names[example.label], best == example.label
        return (AnsweredOne(text, right, names[best], said[best], is_right=is_right),)
