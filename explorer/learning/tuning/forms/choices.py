"""Which of several texts goes with another one: a question's answer, or a story's ending."""

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
class ChoiceExample:
    """A text with several that may go with it; one does.

    Attributes:
        text: The question, or what goes before.
        choices: What may follow it.
        label: The number of the right one.
    """

    text: str
    choices: tuple[str, ...]
    label: int

    @property
    def read(self) -> tuple[str, ...]:
        """All that a model reads: the text anew with each choice."""
        return tuple(part for choice in self.choices for part in (self.text, choice))


class ChoicesForm(TaskForm):
    """A score for each pair of the text and a choice (Devlin et al. 2019, section 4.4)."""

    name: ClassVar = "choices"
    mapping: ClassVar = "MODEL_FOR_MULTIPLE_CHOICE_MAPPING"
    peft: ClassVar = ""
    has_offsets: ClassVar = False

    def configure(self, config: Any, names: Sequence[str]) -> None:
        """With one score a sequence, whatever there is to choose from."""

    def rows(self, tokenizer: Any, examples: Sequence[ChoiceExample], length: int) -> list[Row]:
        """A list of sequences an example."""
        first = [one.text for one in examples for _ in one.choices]
        second = [choice for one in examples for choice in one.choices]
        made = iter(encoded(tokenizer, *joined(tokenizer, first, second), length=length))
        found: list[Row] = []
        for one in examples:
            read = [next(made) for _ in one.choices]
            found.append({"input_ids": [each["input_ids"] for each in read], "choices": read,
                          "labels": one.label})  # fmt: skip
        return found

    def tensors(self, tokenizer: Any, rows: Sequence[Row]) -> dict[str, Any]:
        """Tensors of shape [rows, choices, length], "labels", [rows], and "offered".

        Where one has fewer choices than another, its first one is read again and not offered.
        """
        import torch

        most = max(len(row["choices"]) for row in rows)
        flat = [
            one
            for row in rows
            for one in (*row["choices"], *[row["choices"][0]] * (most - len(row["choices"])))
        ]
        made = padded_rows(tokenizer, flat)
        shaped = {name: one.view(len(rows), most, -1) for name, one in made.items()}
        counts = torch.tensor([len(row["choices"]) for row in rows])
        return {
            **shaped,
            "labels": torch.tensor([row["labels"] for row in rows]),
            "offered": torch.arange(most)[None, :] < counts[:, None],
        }

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The mean cross-entropy over choices, and how often the right one is likeliest."""
        from torch.nn import functional

        scores = _scores(model, batch)
        right = scores.argmax(-1) == batch["labels"]
        return {
            "loss_choice": functional.cross_entropy(scores, batch["labels"]),
            "choice_accuracy": right.float().mean(),
        }

    def ask(self, model: Any, batch: Mapping[str, Any]) -> Sequence[tuple[Any, float, int]]:
        """The probability of each choice; 0 of what is not offered."""
        return told_of_each(_scores(model, batch), batch["labels"])

    def answered(
        self,
        said: Any,
        example: ChoiceExample,
        names: Sequence[str],  # noqa: ARG002
    ) -> Sequence[AnsweredOne]:
        """The likeliest choice."""
        best = max(range(len(example.choices)), key=said.__getitem__)
        right = example.choices[example.label]
        is_right = best == example.label
        return (
            AnsweredOne(example.text, right, example.choices[best], said[best], is_right=is_right),
        )

    def measures(
        self,
        said: Sequence[Any],  # noqa: ARG002
        examples: Sequence[ChoiceExample],  # noqa: ARG002
        names: Sequence[str],  # noqa: ARG002
    ) -> dict[str, float]:
        """None besides how often it is right: choices are no classes."""
        return {}


def _scores(model: Any, batch: Mapping[str, Any]) -> Any:
    """A score a choice, shape [rows, choices]; minus infinity for what is not offered."""
    import torch

    logits = model(**without_labels(batch, "offered")).logits
    return logits.masked_fill(~batch["offered"], -torch.inf)
