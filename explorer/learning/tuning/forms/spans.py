"""Where in a passage the answer to a question is, or that there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from explorer.learning.tuning.forms.form import (
    AnsweredOne,
    Row,
    TaskForm,
    padded_rows,
    without_labels,
)
from explorer.numerics.evaluation.answers import exact_match, f1

Range = tuple[int, int]

LONGEST: Final = 30
"""Pieces of the longest answer, as in SQuAD."""
NONE: Final = "-"
"""Shown where there is no answer."""


@dataclass(frozen=True, slots=True)
class AskedPassage:
    """A question about a passage.

    Attributes:
        text: The question.
        passage: Where the answer is looked for.
        answers: Characters [start, end) of the passage that are right, the one that is taught
            first; none where there is no answer.
    """

    text: str
    passage: str
    answers: tuple[Range, ...]

    @property
    def read(self) -> tuple[str, ...]:
        """All that a model reads."""
        return (self.text, self.passage)

    @property
    def right(self) -> tuple[str, ...]:
        """The texts that are right; "" for none."""
        found = (self.passage[start:end] for start, end in self.answers)
        return tuple(dict.fromkeys(found)) or ("",)


class SpansForm(TaskForm):
    """The start and the end of an answer (Devlin et al. 2019, section 4.2).

    Where there is none both are the first token, as in SQuAD 2.0.
    """

    name: ClassVar = "spans"
    mapping: ClassVar = "MODEL_FOR_QUESTION_ANSWERING_MAPPING"
    peft: ClassVar = "QUESTION_ANS"

    def configure(self, config: Any, names: Sequence[str]) -> None:  # noqa: ARG002
        """With two scores a token."""
        config.num_labels = 2

    def rows(self, tokenizer: Any, examples: Sequence[AskedPassage], length: int) -> list[Row]:
        """Questions and passages; an answer that is cut off with the end of its passage is none."""
        made = tokenizer(
            [one.text for one in examples],
            [one.passage for one in examples],
            truncation=True,
            max_length=length,
            return_offsets_mapping=True,
        )
        return [
            _row({name: made[name][at] for name in made}, made.sequence_ids(at), one)
            for at, one in enumerate(examples)
        ]

    def tensors(self, tokenizer: Any, rows: Sequence[Row]) -> dict[str, Any]:
        """What the tokenizer makes, "labels" and "offsets".

        Labels are the first and the last token of the answer, shape [rows, 2]; offsets the
        characters of the passage that each token stands for, shape [rows, length, 2], -1 for
        tokens of the question.
        """
        import torch

        made = padded_rows(tokenizer, rows)
        offsets = torch.full((*made["input_ids"].shape, 2), -1)
        for number, row in enumerate(rows):
            offsets[number, row["inside"]] = torch.tensor(row["offsets"]).view(-1, 2)
        return {**made, "labels": torch.tensor([row["labels"] for row in rows]), "offsets": offsets}

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Half the cross-entropy of start and end together, and how often both are right."""
        from torch.nn import functional

        found = model(**without_labels(batch, "offsets"))
        starts, ends = batch["labels"].unbind(-1)
        lost = [
            functional.cross_entropy(logits, right)
            for logits, right in ((found.start_logits, starts), (found.end_logits, ends))
        ]
        right = (found.start_logits.argmax(-1) == starts) & (found.end_logits.argmax(-1) == ends)
        return {"loss_answer": sum(lost) / 2, "answer_accuracy": right.float().mean()}

    def ask(self, model: Any, batch: Mapping[str, Any]) -> Sequence[tuple[Any, float, int]]:
        """The characters of the best span of the passage, or [0, 0], and how probable that is."""
        found = model(**without_labels(batch, "offsets"))
        return [
            _best(*one)
            for one in zip(
                found.start_logits.cpu().double(),
                found.end_logits.cpu().double(),
                batch["offsets"].cpu(),
                batch["labels"].cpu(),
                strict=True,
            )
        ]

    def answered(
        self,
        said: Any,
        example: AskedPassage,
        names: Sequence[str],  # noqa: ARG002
    ) -> Sequence[AnsweredOne]:
        """The text of the span; exact match and F1 by the rules of SQuAD."""
        start, end, share = said
        told = example.passage[int(start) : int(end)]
        return (
            AnsweredOne(
                f"{example.text} / {example.passage}",
                " | ".join(example.right) or NONE,
                told or NONE,
                share,
                is_right=exact_match(told, example.right) == 1.0,
                f1=f1(told, example.right),
            ),
        )

    def measures(
        self, said: Sequence[Any], examples: Sequence[AskedPassage], names: Sequence[str]
    ) -> dict[str, float]:
        """F1 of words, on average."""
        told = [
            self.answered(one, example, names)[0].f1 or 0.0
            for one, example in zip(said, examples, strict=True)
        ]
        return {"f1": sum(told) / len(told)}


def _row(read: Mapping[str, Any], sides: Sequence[int | None], example: AskedPassage) -> Row:
    inside = [at for at, side in enumerate(sides) if side == 1]
    offsets = [read["offset_mapping"][at] for at in inside]
    span = [0, 0]
    if example.answers and offsets and example.answers[0][1] <= offsets[-1][1]:
        start, end = example.answers[0]
        pairs = zip(inside, offsets, strict=True)
        within = [at for at, one in pairs if max(one[0], start) < min(one[1], end)]
        span = [within[0], within[-1]] if within else span
    return {**read, "inside": inside, "offsets": offsets, "labels": span}


def _best(starts: Any, ends: Any, offsets: Any, right: Any) -> tuple[Any, float, int]:
    """What is said of a row, and lost on it; no answer where the first token is likelier."""
    import torch

    first, last = starts.log_softmax(-1), ends.log_softmax(-1)
    lost = -float(first[right[0]] + last[right[1]]) / 2
    said, score = [0, 0], float(first[0] + last[0])
    inside = (offsets[:, 0] >= 0).nonzero()[:, 0]
    if len(inside):
        together = first[inside][:, None] + last[inside][None, :]
        allowed = torch.ones_like(together, dtype=torch.bool).triu().tril(LONGEST - 1)
        together = together.masked_fill(~allowed, -torch.inf)
        start, end = divmod(int(together.argmax()), len(inside))
        if float(together[start, end]) > score:
            score = float(together[start, end])
            said = [int(offsets[inside[start], 0]), int(offsets[inside[end], 1])]
    return [*said, math.exp(score)], lost, 1
