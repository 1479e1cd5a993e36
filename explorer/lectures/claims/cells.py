"""What claims can name of an answer: its fields, its rows, and what is laid beside it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from explorer import headless
from explorer.api.question import BESIDE, Detail, Failure, Question
from explorer.document import Document
from explorer.exact_answers import NAME as EXACT_ANSWERS
from explorer.lectures.claims.work import NoValue
from explorer.text import N_, Phrase

Beside = Mapping[Detail, Any]
"""What is laid beside an answer, by what was asked for it: a result, or a Failure."""


class LazyCells(Mapping[str, object]):
    """Names and what they stand for, some of it made when it is first named.

    Args:
        fields: What is there.
        made: What is made, where no field has that name.
    """

    def __init__(
        self, fields: Mapping[str, object], made: Mapping[str, Callable[[], object]]
    ) -> None:
        self._fields = dict(fields)
        self._made = {name: make for name, make in made.items() if name not in fields}

    def with_field(self, name: str, value: object) -> "LazyCells":
        """The same, and one more name, which nothing else has then."""
        return LazyCells({**self._fields, name: value}, self._made)

    def __getitem__(self, name: str) -> object:
        if name not in self._fields and name in self._made:
            self._fields[name] = self._made[name]()
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._fields, **self._made})

    def __len__(self) -> int:
        return len({**self._fields, **self._made})


def lays_beside(question: Question[Any, Any], document: Document) -> bool:
    """Whether exact answers are wanted beside an answer to a document."""
    return question.beside is not None and BESIDE.of(document)


def cells_of(question: Question[Any, Any], result: Any, beside: Beside | None = None) -> LazyCells:
    """What claims can name: the fields as --json prints them, `table` and `summary`.

    Args:
        question: The question.
        result: Its answer.
        beside: The exact answers that are laid beside it; None where they are not wanted.
    """
    made: dict[str, Callable[[], object]] = {"table": lambda: _rows(question, result)}
    summary = question.summary
    if summary is not None:
        made["summary"] = lambda: dict(summary(result))
    failed = next((one for one in (beside or {}).values() if isinstance(one, Failure)), None)
    if question.beside is not None and (failed is not None or not beside):
        made[EXACT_ANSWERS] = partial(_no_exact, beside is None, failed)
        beside = None
    return LazyCells(headless.fields_with(question, result, beside or {}), made)


def _rows(question: Question[Any, Any], result: Any) -> list[dict[str, object]]:
    table = question.table(result)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _no_exact(is_off: bool, failed: Failure | None) -> object:
    """Say why they are not there, and the way to them; a list of other names would not."""
    if failed is not None:
        raise NoValue(N_("there is no exact answer ({problem})"), problem=failed.message)
    if is_off:
        switch = Phrase(BESIDE.label)
        raise NoValue(N_("it needs the exact answers: switch on “{switch}”"), switch=switch)
    raise NoValue(N_("there is no exact answer to compare with this one"))


def names_of(cells: Mapping[str, object], before: Sequence[Mapping[str, object]]) -> LazyCells:
    """What names in a claim stand for: the answer's cells, `answer`, `before`, `steps`.

    A field that is called as one of these is a field of `answer`.

    Args:
        cells: Of the answer that something is claimed of.
        before: Of the steps before it, in order.
    """
    named: dict[str, object] = {"answer": cells, "steps": [*before, cells]}
    if before:
        named["before"] = before[-1]
    return LazyCells(named, {name: partial(cells.__getitem__, name) for name in cells})
