"""Whether an answer is one: of the question's type, about this text, with a table of its own."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from explorer.api.family import Token
from explorer.api.question import Question
from explorer.engine.plugins.border.types_of_values import mismatch
from explorer.questions import question_of


def wrong_answer(request: Any, answer: Any) -> str:
    """What is wrong with an answer, "" where nothing is or where nobody knows the question."""
    try:
        question: Question[Any, Any] = question_of(request)
    except KeyError:
        return ""
    where = f'the answer to "{question.title}"'
    return (
        mismatch(answer, question.result, where)
        or _outside(request, answer, where)
        or _without_table(question, answer, where)
    )


def _outside(request: Any, answer: Any, where: str) -> str:
    """Positions and characters that are not there."""
    tokens = getattr(answer, "tokens", None)
    if not isinstance(tokens, tuple) or not all(isinstance(one, Token) for one in tokens):
        return ""
    for position in _positions(answer):
        if not -1 <= position < len(tokens):  # -1 in some answers: nowhere
            return f"{where} speaks of position {position}, and there are {len(tokens)} tokens"
    texts = (getattr(request, "text", None), getattr(request, "pair", None))
    for token in tokens:
        text = texts[token.part] if token.part in (0, 1) else None
        if isinstance(text, str) and not 0 <= token.start <= token.end <= len(text):
            return f"{where} has a token that lies outside the text ({token.start}–{token.end})"
    return ""


def _positions(value: Any) -> Iterator[int]:
    """Every number in an answer that is the place of a token."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            held = getattr(value, field.name)
            if field.name == "position" and isinstance(held, int):
                yield held
            elif field.name == "positions" and isinstance(held, tuple):
                yield from (one for one in held if isinstance(one, int))
            else:
                yield from _positions(held)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _positions(one)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _positions(one)


def _without_table(question: Question[Any, Any], answer: Any, where: str) -> str:
    try:
        question.table(answer)
    except Exception as error:  # noqa: BLE001 - parts that do not fit each other fail in any way
        return f"{where} does not hold together ({type(error).__name__}: {error})"
    return ""
