"""Entries of the comparison sheet as lines of text, and back, for the next start of the program.

All that an entry's page draws is kept, so nothing has to be asked again: the models may not be
loaded then. What the log leaves out of an answer for its size, whole distributions, is kept too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.api.question import Detail, Failure, ModelCard, ModelStamp, Question
from explorer.document import Document
from explorer.questions import all_questions
from explorer.serialise import from_json, to_json
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.shown import Origin, Pinned, Shown, Twin
from explorer.ui.document.second_page import question_of
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.views import page_of_question


@dataclass(frozen=True)
class _Pinned:
    result: str
    document: Document
    origin: Origin
    request: str = ""


@dataclass(frozen=True)
class _Part:
    """A part of an answer that was asked for when it was looked at.

    Attributes:
        operation: What was asked.
        request: JSON of its request.
        result: JSON of the answer; "" where there is none.
        failure: Why there is none.
        model: Who was asked; None where the page knows it by its request alone.
        lane: Of the Detail.
        is_complete: It is one of those that were all there.
    """

    operation: str
    request: str
    result: str = ""
    failure: Failure | None = None
    model: ModelStamp | None = None
    lane: str = ""
    is_complete: bool = False


@dataclass(frozen=True)
class _Line:
    """An entry; its requests lie beside their origins, for only the question knows their type."""

    operation: str
    schema: int
    result: str
    asked: Document
    now: Document
    origin: Origin
    label: str = ""
    pinned: _Pinned | None = None
    cards: Mapping[str, ModelCard] = field(default_factory=dict)
    parts: tuple[_Part, ...] = ()
    selected: int | None = None
    is_begun: bool = False
    request: str = ""
    twin: "_TwinLine | None" = None


@dataclass(frozen=True)
class _TwinLine:
    """The page beside an entry's: as an entry of its own, and what both are of."""

    entry: str
    titles: tuple[str, str]


@dataclass(frozen=True)
class _PinLine:
    operation: str
    schema: int
    pinned: _Pinned


def line_of_pin(question: str, pinned: Pinned) -> str:
    """A pinned answer as one line of JSON."""
    schema = all_questions()[question_of(question)].schema
    return to_json(_PinLine(question, schema, _pinned_line(pinned)))


def line_of(entry: SheetEntry) -> str:
    """An entry as one line of JSON."""
    shown, pinned = entry.shown, entry.shown.pinned
    return to_json(
        _Line(
            entry.operation,
            entry.page.of.schema,
            to_json(shown.result, whole=True),
            shown.asked,
            shown.now,
            _without_request(entry.origin),
            entry.label,
            None if pinned is None else _pinned_line(pinned),
            # What a model can't be asked is no part of an answer.
            {slot: replace(card, unavailable={}) for slot, card in shown.cards.items()},
            tuple(_parts_of(shown)),
            shown.selected,
            shown.is_begun,
            _request_of(entry.origin),
            None if shown.twin is None else _twin_line(entry.page, shown.twin),
        )
    )


def _twin_line(page: Page, twin: Twin) -> _TwinLine:
    return _TwinLine(line_of(SheetEntry(page, twin.shown, twin.origin)), twin.titles)


def _pinned_line(pinned: Pinned) -> _Pinned:
    result, origin = to_json(pinned.result, whole=True), pinned.origin
    return _Pinned(result, pinned.document, _without_request(origin), _request_of(origin))


def _without_request(origin: Origin) -> Origin:
    return replace(origin, request=None)


def _request_of(origin: Origin) -> str:
    return "" if origin.request is None else to_json(origin.request)


def _with_request(origin: Origin, question: Question[Any, Any], written: str) -> Origin:
    return replace(origin, request=from_json(question.request, written)) if written else origin


def _parts_of(shown: Shown) -> Iterable[_Part]:
    kinds = {one.request: one for one in all_questions().values()}
    details = {**dict.fromkeys(shown.complete), **shown.details}
    for key, found in details.items():
        request = key.request if isinstance(key, Detail) else key
        question = kinds.get(type(request))
        if question is None:
            continue
        failure = found if isinstance(found, Failure) else None
        yield _Part(
            question.name,
            to_json(request),
            "" if found is None or failure is not None else to_json(found, whole=True),
            failure,
            key.model if isinstance(key, Detail) else None,
            key.lane if isinstance(key, Detail) else "",
            key in shown.complete,
        )


class KeptEntry:
    """A line that was read; it becomes an entry where pages may be imported.

    Raises:
        ValueError: It is damaged, or this version of the program can't read it.
    """

    def __init__(self, line: str) -> None:
        self._line = from_json(_Line, line)
        question = all_questions().get(self._line.operation)
        if question is None or question.schema != self._line.schema:
            raise ValueError(f"{self._line.operation} is answered in another way today")
        self._result = from_json(question.result, self._line.result)
        self._pinned = self._pinned_of(question)
        self._origin = _with_request(self._line.origin, question, self._line.request)
        self._details = dict(map(_detail_of, self._line.parts))
        twin = self._line.twin
        self._twin = None if twin is None else KeptEntry(twin.entry)

    def entry(self) -> SheetEntry | None:
        """As it was on the sheet; None where its page is gone."""
        page, line = page_of_question(self._line.operation), self._line
        if page is None:
            return None
        keys = zip(self._details, line.parts, strict=True)
        shown = Shown(
            self._result,
            line.asked,
            line.now,
            self._pinned,
            line.cards,
            {key: found for key, found in self._details.items() if found is not None},
            line.selected,
            alone=True,
            complete=tuple(key for key, part in keys if part.is_complete),
            is_begun=line.is_begun,
            twin=self._beside(),
        )
        return SheetEntry(page, shown, self._origin, line.label)

    def _beside(self) -> Twin | None:
        # Charts and matrices, which a start does without.
        from explorer.ui.views.one_scale import on_one_scale

        beside = None if self._twin is None else self._twin.entry()
        if beside is None or self._line.twin is None:
            return None
        return Twin(beside.shown, beside.origin, self._line.twin.titles, on_one_scale)

    def _pinned_of(self, question: Question[Any, Any]) -> Pinned | None:
        kept = self._line.pinned
        return None if kept is None else _pinned_again(kept, question)


class KeptPin:
    """A line that was read of an answer that was pinned on its page.

    Attributes:
        operation: The question's name, or that of its second page.
        pinned: The answer.

    Raises:
        ValueError: It is damaged, or this version of the program can't read it.
    """

    def __init__(self, line: str) -> None:
        kept = from_json(_PinLine, line)
        question = all_questions().get(question_of(kept.operation))
        if question is None or question.schema != kept.schema:
            raise ValueError(f"{kept.operation} is answered in another way today")
        self.operation = kept.operation
        self.pinned = _pinned_again(kept.pinned, question)


def _pinned_again(kept: _Pinned, question: Question[Any, Any]) -> Pinned:
    origin = _with_request(kept.origin, question, kept.request)
    return Pinned(from_json(question.result, kept.result), kept.document, origin)


def _detail_of(part: _Part) -> tuple[Any, Any]:
    question = all_questions().get(part.operation)
    if question is None:
        raise ValueError(f"there is no {part.operation}")
    request = from_json(question.request, part.request)
    found = from_json(question.result, part.result) if part.result else part.failure
    key = request if part.model is None else Detail(request, part.model, part.lane)
    return key, found
