"""What each family writes around the texts of a task: values only, before any tokenizer."""

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.questions.generation.task_layout.tasks import OF_CLASSES, Task, TaskKind


class LayoutStyle(enum.StrEnum):
    """Whose layout."""

    GPT1 = "gpt1"
    """Radford et al. 2018, section 3.3 and figure 1."""
    BERT = "bert"
    """Devlin et al. 2019, sections 3 and 4, figure 4."""
    T5 = "t5"
    """Raffel et al. 2020, section 2.4 and appendix D."""


class SpecialPiece(enum.StrEnum):
    """A special piece, by what it is for."""

    START = "start"
    DELIMITER = "delimiter"
    EXTRACT = "extract"
    CLS = "[CLS]"
    SEP = "[SEP]"
    END = "</s>"


@dataclass(frozen=True)
class LayoutWords:
    """A text of the user's, or words that a layout adds.

    Attributes:
        text: As it stands there.
        field: What it is in the task: "first", "second", "choice 1"; "" for added words.
    """

    text: str
    field: str = ""


Item = SpecialPiece | LayoutWords


@dataclass(frozen=True)
class TaskTexts:
    """What a task is asked of.

    Attributes:
        first: The text.
        second: The second text; "" without one.
        choices: What is chosen among.
        asks: Of COPA: "cause" or "effect".
    """

    first: str
    second: str = ""
    choices: tuple[str, ...] = ()
    asks: str = "effect"


def laid_out(style: LayoutStyle, task: Task, texts: TaskTexts) -> tuple[tuple[Item, ...], ...]:
    """The sequences that a model reads for one question; none where no layout was published."""
    return _LAYOUTS[style](task, texts)


def _gpt1(task: Task, texts: TaskTexts) -> tuple[tuple[Item, ...], ...]:
    first, second = LayoutWords(texts.first, "first"), LayoutWords(texts.second, "second")
    if task.kind is TaskKind.CLASSIFICATION:
        return ((SpecialPiece.START, first, SpecialPiece.EXTRACT),)
    if task.kind is TaskKind.CHOICE:
        return tuple(_delimited(first, one) for one in _choices(texts))
    if task.kind is TaskKind.ENTAILMENT:
        return (_delimited(first, second),)
    if task.kind is TaskKind.SIMILARITY:
        return _delimited(first, second), _delimited(second, first)
    return ()


def _delimited(first: LayoutWords, second: LayoutWords) -> tuple[Item, ...]:
    return SpecialPiece.START, first, SpecialPiece.DELIMITER, second, SpecialPiece.EXTRACT


def _bert(task: Task, texts: TaskTexts) -> tuple[tuple[Item, ...], ...]:
    first, second = LayoutWords(texts.first, "first"), LayoutWords(texts.second, "second")
    if task.kind is TaskKind.CLASSIFICATION:
        return ((SpecialPiece.CLS, first, SpecialPiece.SEP),)
    if task.kind is TaskKind.CHOICE:
        return tuple(
            (SpecialPiece.CLS, first, SpecialPiece.SEP, one, SpecialPiece.SEP)
            for one in _choices(texts)
        )
    if task.kind is TaskKind.ANSWER:
        return ((SpecialPiece.CLS, second, SpecialPiece.SEP, first, SpecialPiece.SEP),)
    if task.kind in OF_CLASSES:
        return ((SpecialPiece.CLS, first, SpecialPiece.SEP, second, SpecialPiece.SEP),)
    return ()


def _t5(task: Task, texts: TaskTexts) -> tuple[tuple[Item, ...], ...]:
    if not task.prompt or (task.kind is TaskKind.CHOICE and len(texts.choices) != 2):
        return ()
    values = {"first": texts.first, "second": texts.second, "asks": texts.asks}
    fields = {"first": "first", "second": "second"}
    for number, choice in enumerate(texts.choices, start=1):
        values[f"choice{number}"] = choice
        fields[f"choice{number}"] = f"choice {number}"
    parts = re.split(r"\{(\w+)\}", task.prompt)
    written = [
        LayoutWords(values[part], fields.get(part, "")) if number % 2 else LayoutWords(part)
        for number, part in enumerate(parts)
        if part
    ]
    return ((*written, SpecialPiece.END),)


def _choices(texts: TaskTexts) -> list[LayoutWords]:
    return [LayoutWords(one, f"choice {n}") for n, one in enumerate(texts.choices, start=1)]


_LAYOUTS = {LayoutStyle.GPT1: _gpt1, LayoutStyle.BERT: _bert, LayoutStyle.T5: _t5}


def written(sequence: Sequence[Item]) -> str:
    """The text of a sequence without its special pieces."""
    return "".join(item.text for item in sequence if isinstance(item, LayoutWords))
