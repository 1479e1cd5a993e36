"""Whether what is said of an answer agrees with its table: sentence, summary and line of the log.

The same for recorded answers and for those that are asked anew, whatever options were set.
"""

import dataclasses
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from explorer.api.question import Choice, Number, Places, Question, Switch, Whole
from explorer.document import Document
from explorer.sessions.log.headline import headline_of as log_line
from explorer.sessions.records import LoggedRun
from explorer.text.formatting.numbers import decimal, percent, signed, significant, whole
from explorer.text.formatting.probabilities import in_percent

WORKED_OUT = {
    "architecture": {"share"},
    "cost": {"saved", "part"},
    "distillation_losses": {"most"},
    "head_ablation": {"after"},
    "probe": {"share", "control"},
    "prompt": {"share", "its"},
    "experiments": {"mean", "low", "high"},
    "query_key": {"dimension", "product"},
    "soft_targets": {"teacher", "student"},
    "token_labels": {"share", "its", "that"},
    "train_tokenizer": {"before", "after"},
    "vocabulary": {"ours", "theirs"},
}
"""Numbers that a sentence makes of those that an answer holds, each held by a test of its own:
shares of a whole, differences, softmaxes, ratios, and means over splits."""


OF_SOMETHING_ELSE = {
    "edits": {"word": "the word that is predicted, and the table has those that are changed"},
    "masking_policy": {"loss": "of what is masked, and the table has every token"},
    "patching": {"row": "in words", "token": "of either text, as it is patched in"},
}
"""Cells of a summary that are called as a column of another meaning is."""


def others(option: Any) -> list[Any]:
    """Values beside the default of what redraws an answer."""
    if isinstance(option, Switch):
        return [not option.default]
    if isinstance(option, Choice):
        return [one.value for one in option.entries if one.value != option.default]
    if isinstance(option, Places):
        return [(0,) * option.count, (1,) * option.count]
    if isinstance(option, Whole):
        return [round(option.low + share * (option.high - option.low)) for share in (0.1, 0.9)]
    if not isinstance(option, Number):
        return []
    return [option.low + share * (option.high - option.low) for share in (0.1, 0.45, 0.9)]


def redrawn(question: Question[Any, Any]) -> list[tuple[str, Any]]:
    """What a question follows, each with some values beside its default."""
    return [(key, one) for key, option in question.follows.items() for one in others(option)]


def values_in(value: Any) -> Iterator[str | float]:
    """Every text and every number of a result."""
    if isinstance(value, str | int | float):
        yield value
    elif isinstance(value, np.ndarray):
        yield from (one for one in value.ravel().tolist() if one == one)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from values_in(getattr(value, field.name))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from values_in(key)
            yield from values_in(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from values_in(one)


@lru_cache(100_000, typed=True)
def as_told(value: str | float) -> set[str]:
    """The ways in which a sentence has a value of a result."""
    if isinstance(value, str):
        return {value, f"…{value}", value.removeprefix("##"), value.lstrip("Ġ▁")}
    number = float(value)
    told = {
        significant(number, 3),
        signed(number, 2),
        *(decimal(one, 2) for one in (number, abs(number))),
        in_percent(abs(number)),
        percent(number, 1),
    }
    if abs(number) >= 1000:
        told.add(f"{number:,.0f}")
    if number <= 0:
        told.add(in_percent(math.exp(number)))  # a log-probability
    return told | ({whole(round(number)), str(round(number))} if number.is_integer() else set())


def disagreeing(
    question: Question[Any, Any],
    request: Any,
    result: Any,
    key: str = "",
    value: Any = None,
    document: Document | None = None,
) -> list[str]:
    """What is said of an answer that its table does not have.

    Args:
        question: The question.
        request: As it was asked.
        result: The answer.
        key: What it is redrawn by, a name of what the question follows; "" for the defaults.
        value: Its value.
        document: What it was asked of.
    """
    settings = {key: value} if key else {}
    document = document or Document(getattr(request, "text", ""))
    if key:
        option = question.follows[key]
        document = document.with_option(option.key, option.written(value))
    table = question.table(result, **question.table_settings_of(document))
    # A summary is one row of a table over many sentences, and all of those have the defaults.
    usual = question.table(result)
    row = {} if question.summary is None else dict(question.summary(result))
    wrong = [
        f"summary: {name} is {row[name]!r}"
        for name in sorted(row.keys() & {*usual.columns})
        if name not in OF_SOMETHING_ELSE.get(question.name, ())
        and not _follows(row[name], usual.column(name))
    ]
    sentence = question.headline_of(result, **settings).sentence
    logged = log_line(LoggedRun(question, document, None, result))
    if not sentence:
        return wrong if logged or not row else [*wrong, "log: nothing"]
    if logged != sentence:
        wrong.append(f"log: {logged}")
    unknown = {
        (name, str(one))
        for _code, places in sentence.parts
        for name, one in places.items()
        if is_number(str(one)) and name not in WORKED_OUT.get(question.name, ())
    }
    for one in values_in([row, [*settings.values()], request, table.rows, result]):
        if not unknown:
            break
        known = as_told(one)
        unknown = {(name, told) for name, told in unknown if told not in known}
    return [*wrong, *(f"sentence: {name} is {told}" for name, told in sorted(unknown))]


def is_number(told: str) -> bool:
    """Whether it has digits and no letters."""
    return bool(re.search(r"\d", told)) and not re.search(r"[^\W\d_]", told)


def _follows(cell: Any, column: Any) -> bool:
    """Whether a cell of a summary is one of its column, or what the column comes to."""
    held = [one for one in column if one not in (None, "") and one == one]
    if cell in (None, "") or cell in held:
        return True
    numbers = [float(one) for one in held if isinstance(one, int | float)]
    if isinstance(cell, str) or len(numbers) < len(held):
        # Several in one cell, or how many there are; of another kind it is something else.
        is_other = isinstance(cell, str) == bool(numbers)
        return is_other or str(cell) in {*(mark.join(map(str, held)) for mark in ("", " "))}
    comes_to = [*numbers, math.fsum(numbers), len(numbers)]
    # Where a place has many rows its number stands in each of them.
    comes_to += [math.fsum(one) / len(one) for one in (numbers, {*numbers}) if one]
    return any(math.isclose(cell, one, rel_tol=1e-6, abs_tol=1e-9) for one in comes_to)
