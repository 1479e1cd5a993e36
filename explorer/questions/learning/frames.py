"""What a run measured of its frames, as its folder has it."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from explorer.questions.learning.runs import MeasuredFrame, WatchedBlank


def frames_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[MeasuredFrame]:
    """The frames, in the order of their steps; what is no number is left out."""
    for row in sorted(rows, key=lambda one: int(one.get("step", 0))):
        rules = row.get("rules") or {}
        yield MeasuredFrame(
            int(row.get("step", 0)),
            _number(row.get("loss")),
            _number(row.get("floor")),
            _number(row.get("excess")),
            _number(row.get("accuracy")),
            {
                rule: value
                for rule, one in rules.items()
                if (value := _number(one.get("excess") if isinstance(one, dict) else one))
                is not None
            },
            {
                sentence: tuple(
                    tuple((str(word), float(share)) for word, share in blank) for blank in blanks
                )
                for sentence, blanks in (row.get("watched") or {}).items()
            },
            {
                sentence: tuple(_blanks(blanks, (row.get("exact_teacher") or {}).get(sentence)))
                for sentence, blanks in (row.get("exact") or {}).items()
            },
            _number((row.get("teacher") or {}).get("excess")),
            _number(row.get("to_teacher")),
            _number(row.get("f1")),
        )


def _blanks(
    blanks: Iterable[Mapping[str, Any]], taught: Iterable[Mapping[str, Any]] | None
) -> Iterator[WatchedBlank]:
    """Masks of a sentence; their teacher was asked for the same words."""
    for one, other in zip_longest(blanks, taught or ()):
        yield WatchedBlank(
            tuple(
                (str(word), float(exact), float(own), next(iter(rank), None))
                for word, exact, own, *rank in one["words"]
            ),
            _number(one.get("excess")),
            bool(one.get("is_beginning")),
            tuple(float(own) for _, _, own, *_ in (other or {}).get("words", ())),
        )


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None
