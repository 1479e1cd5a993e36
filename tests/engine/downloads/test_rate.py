from collections.abc import Callable

import pytest

from explorer.engine.downloads.rate import Rate
from explorer.text.pseudo import CLOSING, OPENING


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def run(rate: Rate, clock: Clock, seconds: float, speed: int, start: int = 0) -> int:
    done = start
    for _ in range(round(seconds * 100)):
        clock.now += 0.01
        done += speed // 100
        rate.at(done)
    return done


def test_a_steady_rate_is_told() -> None:
    clock = Clock()
    rate = Rate(clock)
    assert rate.describe(10) == ""
    rate.at(0)
    assert rate.describe(10) == ""
    run(rate, clock, 10.0, 3_100_000)
    assert rate.bytes_per_second() == pytest.approx(3_100_000, rel=0.01)
    assert rate.describe(124_000_000) == "3.1 MB/s, 40 s left"


def test_the_rate_is_worded_where_it_is_read(speak: Callable[[str], None]) -> None:
    clock = Clock()
    rate = Rate(clock)
    rate.at(0)
    run(rate, clock, 10.0, 3_100_000)
    told = rate.describe(800_000_000)
    speak("en_XA")
    assert "min left" not in told.said
    assert told.said.count(OPENING) == told.said.count(CLOSING) == 2  # a sentence, and its time


def test_the_rate_follows_the_last_seconds() -> None:
    clock = Clock()
    rate = Rate(clock)
    done = run(rate, clock, 20.0, 10_000_000)
    run(rate, clock, 6.0, 1_000_000, done)
    assert rate.bytes_per_second() == pytest.approx(1_000_000, rel=0.01)


def test_what_was_there_before_does_not_count() -> None:
    clock = Clock()
    rate = Rate(clock)
    rate.at(500_000_000)
    run(rate, clock, 2.0, 1_000_000, 500_000_000)
    assert rate.bytes_per_second() == pytest.approx(1_000_000, rel=0.01)


def test_beginning_again_begins_the_measurement_again() -> None:
    clock = Clock()
    rate = Rate(clock)
    run(rate, clock, 2.0, 1_000_000)
    rate.at(0)
    assert rate.bytes_per_second() is None
    run(rate, clock, 2.0, 2_000_000)
    assert rate.bytes_per_second() == pytest.approx(2_000_000, rel=0.01)
