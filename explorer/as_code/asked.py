"""What was asked, by the names and values that Python and the command line take."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.question import BESIDE, Mask, Mention, ModelStamp, Question
from explorer.api.question.options.values import as_kept
from explorer.command_line.options.look_options import looks_of
from explorer.document import Document
from explorer.samples.typed_documents import PAIR_SIGN, written
from explorer.scripting.requests import options_of
from explorer.sessions.records import LoggedRun, StoredRun

TEXT = "text"


@dataclass(frozen=True)
class AskedRun:
    """A run that can be asked again.

    Attributes:
        question: What was asked.
        request: As it was asked.
        document: That asked it.
        models: Who played which role.
        result: What came of it; None where that can't be read.
        folders: Where the models' files are, by their ids, as far as that is known.
    """

    question: Question[Any, Any]
    request: Any
    document: Document
    models: Mapping[str, ModelStamp]
    result: Any = None
    folders: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @staticmethod
    def of(
        run: LoggedRun | StoredRun, folders: Mapping[str, str] | None = None
    ) -> "AskedRun | None":
        """A run of now or of the log; None where its question or request can't be read."""
        from explorer.questions import all_questions

        operation = run.operation if isinstance(run, LoggedRun) else run.summary.operation
        question = all_questions().get(operation)
        if question is None or run.request is None:
            return None
        return AskedRun(question, run.request, run.document, run.models, run.result, folders or {})

    def options(self) -> dict[str, Any]:
        """Its text and every option that is not the usual one, as `explorer.ask` takes them."""
        found: dict[str, Any] = {}
        for name, field in options_of(self.question).items():
            if field and (value := _field(self.question, self.request, field)) is not _USUAL:
                found[name] = value
        for name, option in looks_of(self.question).items():
            value = option.of(self.document)
            if value != option.default:
                found[name] = as_kept(value)
        if self.question.beside is not None and BESIDE.of(self.document):
            found["exact"] = True
        return found


_USUAL = object()
"""In the place of a value that need not be said."""


def _field(question: Question[Any, Any], request: Any, name: str) -> Any:
    from explorer.serialise import to_builtins

    value = getattr(request, name)
    field = next(one for one in dataclasses.fields(question.request) if one.name == name)
    if field.default is not dataclasses.MISSING and value == field.default:
        return _USUAL
    if name == "masks":
        return [_mask(one) for one in value]
    if name == "entities":
        return [_mention(one) for one in value]
    return to_builtins(value)


def _mask(mask: Mask) -> str:
    return written(mask)


def _mention(one: Mention) -> str:
    return f"{PAIR_SIGN * one.part}{one.start}-{one.end}={one.entity}"


def literal(value: Any) -> str:
    """A value as Python writes it."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(value)


def call(function: str, arguments: list[str]) -> str:
    """A call, on as many lines as it takes."""
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= 88:
        return line
    return "\n".join([f"{function}(", *(f"    {one}," for one in arguments), ")"])
