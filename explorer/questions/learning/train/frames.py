"""What a run measured of its frames, as its folder has it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from explorer.questions.learning.train.question import MeasuredFrame, WatchedBlank


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
                sentence: tuple(map(_blank, blanks))
                for sentence, blanks in (row.get("exact") or {}).items()
            },
        )


def _blank(one: Mapping[str, Any]) -> WatchedBlank:
    return WatchedBlank(
        tuple(
            (str(word), float(exact), float(own), int(rank))
            for word, exact, own, rank in one["words"]
        ),
        _number(one.get("excess")),
        bool(one.get("is_beginning")),
    )


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None
