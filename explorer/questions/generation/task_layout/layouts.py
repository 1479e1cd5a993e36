"""What each family writes around the texts of a task: values only, before any tokenizer."""

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.questions.generation.task_layout.tasks import OF_CLASSES, Kind, Task


class Style(enum.StrEnum):
    """Whose layout."""

    GPT1 = "gpt1"
    """Radford et al. 2018, section 3.3 and figure 1."""
    BERT = "bert"
    """Devlin et al. 2019, sections 3 and 4, figure 4."""
    T5 = "t5"
    """Raffel et al. 2020, section 2.4 and appendix D."""


class Mark(enum.StrEnum):
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


Item = Mark | LayoutWords


@dataclass(frozen=True)
class Texts:
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


def laid_out(style: Style, task: Task, texts: Texts) -> tuple[tuple[Item, ...], ...]:
    """The sequences that a model reads for one question; none where no layout was published."""
    return _LAYOUTS[style](task, texts)


def _gpt1(task: Task, texts: Texts) -> tuple[tuple[Item, ...], ...]:
    first, second = LayoutWords(texts.first, "first"), LayoutWords(texts.second, "second")
    if task.kind is Kind.CLASSIFICATION:
        return ((Mark.START, first, Mark.EXTRACT),)
    if task.kind is Kind.CHOICE:
        return tuple(_delimited(first, one) for one in _choices(texts))
    if task.kind is Kind.ENTAILMENT:
        return (_delimited(first, second),)
    if task.kind is Kind.SIMILARITY:
        return _delimited(first, second), _delimited(second, first)
    return ()


def _delimited(first: LayoutWords, second: LayoutWords) -> tuple[Item, ...]:
    return Mark.START, first, Mark.DELIMITER, second, Mark.EXTRACT


def _bert(task: Task, texts: Texts) -> tuple[tuple[Item, ...], ...]:
    first, second = LayoutWords(texts.first, "first"), LayoutWords(texts.second, "second")
    if task.kind is Kind.CLASSIFICATION:
        return ((Mark.CLS, first, Mark.SEP),)
    if task.kind is Kind.CHOICE:
        return tuple((Mark.CLS, first, Mark.SEP, one, Mark.SEP) for one in _choices(texts))
    if task.kind is Kind.ANSWER:
        return ((Mark.CLS, second, Mark.SEP, first, Mark.SEP),)
    if task.kind in OF_CLASSES:
        return ((Mark.CLS, first, Mark.SEP, second, Mark.SEP),)
    return ()


def _t5(task: Task, texts: Texts) -> tuple[tuple[Item, ...], ...]:
    if task.kind is Kind.CHOICE and len(texts.choices) != 2:
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
    return ((*written, Mark.END),)


def _choices(texts: Texts) -> list[LayoutWords]:
    return [LayoutWords(one, f"choice {n}") for n, one in enumerate(texts.choices, start=1)]


_LAYOUTS = {Style.GPT1: _gpt1, Style.BERT: _bert, Style.T5: _t5}


def written(sequence: Sequence[Item]) -> str:
    """The text of a sequence without its special pieces."""
    return "".join(item.text for item in sequence if isinstance(item, LayoutWords))
