"""What a step asks, as its scene's file has it: read and written."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from explorer.api.question import UserMistake
from explorer.lectures import toml_reading as reading
from explorer.lectures.lessons.ask import AskKind, AskWords, LessonAsk
from explorer.lectures.toml_writing import line, table_head
from explorer.lectures.words import is_language
from explorer.text import N_

MOST_CHOICES = 8
MOST_HINTS = 5
Said = Annotated[str, msgspec.Meta(min_length=1)]


class _AskHead(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    answer: Said
    first: bool = False
    within: float = 0.5
    unit: str = ""


class _AskSaid(msgspec.Struct, forbid_unknown_fields=True):
    question: Said
    choices: Annotated[tuple[Said, ...], msgspec.Meta(max_length=MOST_CHOICES)] = ()
    hints: Annotated[tuple[Said, ...], msgspec.Meta(max_length=MOST_HINTS)] = ()
    reveal: str = ""


def read_ask(table: Mapping[str, Any], file: str, place: str) -> tuple[LessonAsk, Any]:
    """What a step asks, and the table of its solution; None where it has none.

    Raises:
        UserMistake: One sentence with the file and the key that is wrong.
    """
    spoken = {
        key: value for key, value in table.items() if is_language(key) and isinstance(value, dict)
    }
    rest = {key: value for key, value in table.items() if key not in spoken}
    solution = rest.pop("solution", None)
    head = reading.checked(_AskHead, rest, file, place)
    if head.kind not in set(AskKind):
        raise UserMistake(
            N_("{file}: the key {key} must be one of {kinds}."),
            reading.SEE,
            file=file,
            key=f"{place}.kind",
            kinds=", ".join(AskKind),
        )
    kind = AskKind(head.kind)
    if not spoken:
        raise reading.missing(f"{place}.en.question", file)
    words = {
        code: reading.checked(_AskSaid, one, file, f"{place}.{code}")
        for code, one in spoken.items()
    }
    counts = {len(one.choices) for one in words.values()}
    if (kind is AskKind.CHOICE) is (0 in counts) or len(counts) > 1 or counts == {1}:
        raise UserMistake(
            N_("{file}: the key {key} must have the same number of choices in each language."),
            N_("A question of the kind choice has two and more; others have none."),
            file=file,
            key=place,
        )
    if (kind is AskKind.DO) is not (solution is not None):
        raise UserMistake(
            N_("{file}: the key {key} is there for what is to be done, and for nothing else."),
            N_("It says what is set so that the answer becomes true."),
            file=file,
            key=f"{place}.solution",
        )
    if kind is AskKind.DO and head.first:
        raise UserMistake(
            N_("{file}: the key {key} can't be so: what is to be done is done on the page."),
            reading.SEE,
            file=file,
            key=f"{place}.first",
        )
    return (
        LessonAsk(
            kind,
            head.answer,
            head.first,
            head.within,
            head.unit,
            {
                code: AskWords(one.question, one.choices, one.hints, one.reveal)
                for code, one in words.items()
            },
        ),
        solution,
    )


def ask_lines(ask: LessonAsk) -> Iterator[str]:
    """What `read_ask` reads as the same question, without its solution."""
    yield from ("", table_head("steps.ask"), line("kind", ask.kind.value))
    yield line("answer", ask.answer)
    usual = LessonAsk(ask.kind, ask.answer)
    for key in ("first", "within", "unit"):
        if getattr(ask, key) != getattr(usual, key):
            yield line(key, getattr(ask, key))
    for code, words in ask.words.items():
        yield from ("", table_head(f"steps.ask.{code}"), line("question", words.question))
        for key in ("choices", "hints", "reveal"):
            if getattr(words, key):
                yield line(key, getattr(words, key))
