from explorer.engine.process.throttle import Throttle


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_one_stage_is_told_twenty_times_a_second() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    told = 0
    for _ in range(10_000):
        told += throttle.allows("working")
        clock.now += 0.001
    assert 195 <= told <= 206


def test_a_new_stage_is_told_at_once() -> None:
    throttle = Throttle(Clock())
    assert throttle.allows("one")
    assert not throttle.allows("one")
    assert throttle.allows("two")
    assert not throttle.allows("two")


def test_stages_that_change_all_the_time_are_limited_too() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    told = 0
    for number in range(10_000):
        told += throttle.allows(str(number))
        clock.now += 0.001
    assert 195 <= told <= 206
