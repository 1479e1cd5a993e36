"""Unfinished answers: shown while a call works, and never after it: real processes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import standin

from explorer.engine.messages import Answer, Ask, PartialResult, Stopped

Start = Callable[..., tuple[Any, Any]]


def test_what_there_is_so_far_is_shown_a_few_times_a_second(start_engine: Start) -> None:
    engine, listener = start_engine()
    number = engine.submit("view", Ask(standin.Grow(100)))
    answer = listener.end_of("view", number)
    assert isinstance(answer, Answer)
    told = listener.of_lane("view")
    parts = [event for event in told if isinstance(event, PartialResult)]
    assert told == [*parts, answer]
    found = [int(np.isfinite(part.result).sum()) for part in parts]
    assert found == sorted(set(found))
    assert found[0] > 0
    # A hundred steps are shown a few times: a picture is drawn of each.
    assert 2 <= len(parts) < 50
    assert {part.number for part in parts} == {number}
    assert not parts[0].result.flags.writeable
    assert np.isfinite(answer.result).all()


def test_a_cancelled_call_shows_nothing_more(start_engine: Start) -> None:
    engine, listener = start_engine()
    number = engine.submit("view", Ask(standin.Grow(6_000)))
    listener.wait_for(PartialResult)
    engine.cancel("view")
    assert isinstance(listener.end_of("view", number), Stopped)
    again = engine.submit("view", Ask(standin.Echo("again")))
    assert listener.end_of("view", again).result == "again"
    told = listener.of_lane("view")
    stopped = next(n for n, event in enumerate(told) if isinstance(event, Stopped))
    assert not any(isinstance(event, PartialResult) for event in told[stopped:])


def test_parts_of_an_older_call_are_not_told(start_engine: Start) -> None:
    engine, listener = start_engine()
    engine.submit("view", Ask(standin.Grow(6_000)))
    listener.wait_for(PartialResult)
    newer = engine.submit("view", Ask(standin.Grow(50)))
    seen = len(listener.events)
    assert isinstance(listener.end_of("view", newer), Answer)
    late = [event for event in listener.events[seen:] if isinstance(event, PartialResult)]
    assert {event.number for event in late} <= {newer}
