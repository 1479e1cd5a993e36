"""What a question was set to: every setting that is not the usual one, called as its widget is."""

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

from explorer.api.question import SLOTS, ExplorerError, Option, Question
from explorer.api.question.options.asks import OF_DOCUMENT, asked_fields, field_of
from explorer.api.question.options.values import as_kept, in_words
from explorer.document import Document
from explorer.serialise import to_builtins
from explorer.text import _

TOLD_APART = frozenset({"text", "pair", "masks", "entities", "seed"})
"""Fields of a request that a caption tells in sentences of their own."""


@dataclasses.dataclass(frozen=True)
class ChangedSetting:
    """One that is not the usual one.

    Attributes:
        label: As the window labels it; as the command line calls it where only that sets it.
        value: In words, as its widget shows it.
    """

    label: str
    value: str

    @property
    def said(self) -> str:
        """As a caption lists it."""
        return f"{self.label} = {self.value}"


def asked_with(
    question: Question[Any, Any], request: Any, document: Document
) -> Iterator[ChangedSetting]:
    """What a request was set to, and what a document sets that decides who is asked.

    Args:
        question: The question.
        request: As it was logged; None where it can't be read, and then only the document tells.
        document: The one that asked.
    """
    fields = {} if request is None else {one.name: one for one in dataclasses.fields(request)}
    each = asked_each_time(question, request)
    told = {*TOLD_APART, *({"request"} if each is not None else ())}
    named = {one.option.key: name for name, one in asked_fields(question.request).items()}
    named |= {key: key for key in OF_DOCUMENT}
    for option in question.options:
        name = named.get(option.key, "")
        if option.redraws or option.key == question.swap or name in told:
            continue
        if name in fields:
            told.add(name)
            yield from _of_field(fields[name], question, option, request, document)
        else:
            yield from _of_document(option, document)
    for name, field in fields.items():
        if name not in told:
            own = field_of(question.request, name)
            known = None if own is None else own.option
            yield from _of_field(field, question, known, request, document)
    if each is not None:
        yield from asked_with(*each, document)


def looked_at_with(question: Question[Any, Any], document: Document) -> Iterator[ChangedSetting]:
    """What a document sets that changes only how the answer is looked at."""
    for option in question.options:
        if option.redraws:
            yield from _of_document(option, document)


def every_setting(question: Question[Any, Any], request: Any) -> dict[str, Any]:
    """All that a request can be set to, the usual values too, as JSON has it.

    Args:
        question: The question.
        request: As it was logged; None where it can't be read.
    """
    if request is None:
        return {}
    plain: dict[str, Any] = to_builtins(request)
    each = asked_each_time(question, request)
    if each is not None:
        plain["request"] = every_setting(*each)
    apart = TOLD_APART - {"entities"} if plain.get("entities") else TOLD_APART
    return {name: value for name, value in plain.items() if name not in apart}


def asked_each_time(
    question: Question[Any, Any], request: Any
) -> tuple[Question[Any, Any], Any] | None:
    """The question that a request asks many times over, and how; None where it asks no other."""
    if request is None or question.delegates_to is None or question.delegates_with is None:
        return None
    # The question may be one of a plugin that is gone.
    with contextlib.suppress(ExplorerError):
        return question.delegates_to(request), question.delegates_with(request)
    return None


def _of_field(
    field: "dataclasses.Field[Any]",
    question: Question[Any, Any],
    option: Option[Any] | None,
    request: Any,
    document: Document,
) -> Iterator[ChangedSetting]:
    value = getattr(request, field.name)
    if value == _usual(field, option):
        return
    if _only_looks(question, request, field):
        return
    if option is None:
        yield ChangedSetting(field.name.replace("_", "-"), in_words(as_kept(value)))
        return
    is_held = _same(option.of(document), value)
    if is_held and not option.applies(document):
        return
    kept = as_kept(value)
    if option.accepts(kept):
        said = option.said(option.cast(kept))
    elif option.accepts(option.held(document)) and (
        is_held or _asks(question, document, field.name) == value
    ):
        said = option.said_in(document)
    else:
        said = in_words(kept)
    yield _named(option, said)


def _of_document(option: Option[Any], document: Document) -> Iterator[ChangedSetting]:
    if option.of(document) != option.default and option.applies(document):
        yield _named(option, option.said_in(document))


def _only_looks(
    question: Question[Any, Any], request: Any, field: "dataclasses.Field[Any]"
) -> bool:
    """Whether a field says no more than that the question was asked in its quick form.

    What people set is told whatever its value, for it changes the answer's numbers.
    """
    own = asked_fields(question.request).get(field.name)
    if question.cheap_variant is None or (own is not None and own.is_held):
        return False
    asked = dataclasses.replace(request, **{field.name: _usual(field, None)})
    return bool(getattr(question.cheap_variant(asked), field.name) == getattr(request, field.name))


def _named(option: Option[Any], said: str) -> ChangedSetting:
    return ChangedSetting(_(option.label).rstrip("… :"), said)


def _usual(field: "dataclasses.Field[Any]", option: Option[Any] | None) -> Any:
    """What it is where nobody says anything: the same wherever the question is asked from."""
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return None if option is None else option.default


def _same(held: Any, value: Any) -> bool:
    return bool(as_kept(held) == as_kept(value))


def _asks(question: Question[Any, Any], document: Document, name: str) -> Any:
    """What a document's own request has in a field."""
    request = question.request_among(document, {}, SLOTS[0])
    return None if request is None else getattr(request, name)
