"""A label for every word: names, parts of speech, what a noun does in its sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from explorer.learning.tuning.forms.form import (
    NOT_ASKED,
    AnsweredOne,
    Row,
    TaskForm,
    encoded,
    padded_rows,
    without_labels,
)

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WordLabelledText:
    """A text with a label for each of its words.

    Attributes:
        text: The text.
        words: The characters [start, end) of each word.
        labels: Of each, its label's number; `NOT_ASKED` where the file says none.
    """

    text: str
    words: tuple[Range, ...]
    labels: tuple[int, ...]

    @property
    def read(self) -> tuple[str, ...]:
        """All that a model reads."""
        return (self.text,)

    def marked(self, word: int) -> str:
        """The text with a word of it marked."""
        start, end = self.words[word]
        return f"{self.text[:start]}[{self.text[start:end]}]{self.text[end:]}"


class WordsForm(TaskForm):
    """A label for the first piece of each word, as transformers' own example has it.

    Later pieces of a word teach nothing, and nobody asks them.
    """

    name: ClassVar = "words"
    mapping: ClassVar = "MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING"
    peft: ClassVar = "TOKEN_CLS"

    def rows(self, tokenizer: Any, examples: Sequence[WordLabelledText], length: int) -> list[Row]:
        """Texts with a label a piece; a word that is cut off has none."""
        texts = [one.text for one in examples]
        made = encoded(
            tokenizer, texts, length=length,
            return_offsets_mapping=True, return_special_tokens_mask=True,
        )  # fmt: skip
        return [
            {**read, "labels": _labels(read, one)} for read, one in zip(made, examples, strict=True)
        ]

    def tensors(self, tokenizer: Any, rows: Sequence[Row]) -> dict[str, Any]:
        """What the tokenizer makes, and "labels", shape [rows, length]."""
        import torch

        made = padded_rows(tokenizer, rows)
        length = made["input_ids"].shape[1]
        filled = [[*row["labels"], *[NOT_ASKED] * (length - len(row["labels"]))] for row in rows]
        return {**made, "labels": torch.tensor(filled)}

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The mean cross-entropy of the pieces that have a label, and how often it is right."""
        from torch.nn import functional

        asked = batch["labels"] != NOT_ASKED
        logits, labels = model(**without_labels(batch)).logits[asked], batch["labels"][asked]
        right = logits.argmax(-1) == labels
        return {
            "loss_labels": functional.cross_entropy(logits, labels),
            "labels_accuracy": right.float().mean(),
        }

    def ask(self, model: Any, batch: Mapping[str, Any]) -> Sequence[tuple[Any, float, int]]:
        """Of each word that is read and has a label: the likeliest one, and how probable it is."""
        logits = model(**without_labels(batch)).logits.cpu().double()
        found = []
        for each, labels in zip(logits, batch["labels"].cpu(), strict=True):
            asked = labels != NOT_ASKED
            lost = -each[asked].log_softmax(-1).gather(-1, labels[asked][:, None]).sum()
            shares, best = each[asked].softmax(-1).max(-1)
            said = [list(one) for one in zip(best.tolist(), shares.tolist(), strict=True)]
            found.append((said, float(lost), len(said)))
        return found

    def answered(
        self, said: Any, example: WordLabelledText, names: Sequence[str]
    ) -> Sequence[AnsweredOne]:
        """The label of each word; those that were cut off come last, and are not asked."""
        asked = [at for at, label in enumerate(example.labels) if label != NOT_ASKED]
        return [
            AnsweredOne(
                example.marked(at),
                names[example.labels[at]],
                names[label],
                share,
                is_right=label == example.labels[at],
            )
            for at, (label, share) in zip(asked, said, strict=False)
        ]

    def measures(
        self, said: Sequence[Any], examples: Sequence[WordLabelledText], names: Sequence[str]
    ) -> dict[str, float]:
        """F1 of whole ranges where labels begin and go on (B-, I-)."""
        from explorer.numerics.evaluation.label_ranges import range_f1

        if not any(name.startswith(("B-", "I-")) for name in names):
            return super().measures(said, examples, names)
        told = [
            self.answered(one, example, names) for one, example in zip(said, examples, strict=True)
        ]
        rights = [tuple(one.right for one in each) for each in told]
        saids = [tuple(one.said for one in each) for each in told]
        return {"f1": range_f1(rights, saids)}


def _labels(read: Mapping[str, Any], example: WordLabelledText) -> list[int]:
    """Labels of pieces: that of a word at its first piece."""
    labels, at = [], 0
    words = list(zip(example.words, example.labels, strict=True))
    pieces = zip(read["offset_mapping"], read["special_tokens_mask"], strict=True)
    for (start, end), special in pieces:
        found = NOT_ASKED
        if not special and end > start:
            # A word without a piece of its own is passed over.
            while at < len(words) and words[at][0][1] <= start:
                at += 1
            if at < len(words) and words[at][0][0] < end:
                found = words[at][1]
                at += 1
        labels.append(found)
    return labels
