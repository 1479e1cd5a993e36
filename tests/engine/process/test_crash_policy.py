import signal
from collections.abc import Callable

import pytest

from explorer.engine.process.crash_policy import GPU_FAULT_EXIT, CrashPolicy, reason_of
from explorer.text.pseudo import OPENING


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (-9, "memory ran out"),
        (-11, "segmentation fault"),
        (-4, "does not fit this processor"),
        (-signal.SIGTERM, "Another program"),
        (-10, "bus error" if signal.Signals(10).name == "SIGBUS" else "SIG"),
        (-200, "signal 200"),
        (GPU_FAULT_EXIT, "GPU"),
        (1, "exit code 1"),
        (0, "exit code 0"),
        (0xC0000005, "access violation"),
        (0xC0000005 - (1 << 32), "access violation"),
        (None, "lost"),
    ],
)
def test_exit_codes_in_words(code: int | None, words: str) -> None:
    reason = reason_of(code)
    assert words in reason
    assert reason.endswith(".")


@pytest.mark.parametrize("code", [-9, -200, GPU_FAULT_EXIT, 1, 0xC0000005, None])
def test_exit_codes_are_worded_where_they_are_read(
    speak: Callable[[str], None], code: int | None
) -> None:
    reason = reason_of(code)
    speak("en_XA")
    assert reason.said.startswith(OPENING)
    assert "engine" not in reason.said


def test_a_first_death_is_no_reason_to_give_up() -> None:
    deaths = CrashPolicy(Clock())
    deaths.process_started(is_restart=False)
    assert not deaths.is_hopeless()


def test_a_restart_that_dies_soon_without_an_answer_is() -> None:
    clock = Clock()
    deaths = CrashPolicy(clock)
    deaths.process_started(is_restart=True)
    clock.now += 19
    assert deaths.is_hopeless()


def test_a_restart_that_answered_or_lived_a_while_is_not() -> None:
    for seconds, answers in ((19, True), (21, False)):
        clock = Clock()
        deaths = CrashPolicy(clock)
        deaths.process_started(is_restart=True)
        if answers:
            deaths.answered()
        clock.now += seconds
        assert not deaths.is_hopeless()


def test_three_deaths_in_a_minute_are_too_many() -> None:
    for pause, hopeless in ((29, True), (31, False)):
        clock = Clock()
        deaths = CrashPolicy(clock)
        told = []
        for _ in range(3):
            deaths.process_started(is_restart=True)
            deaths.answered()
            clock.now += pause
            told.append(deaths.is_hopeless())
        assert told == [False, False, hopeless]


def test_the_user_may_try_again() -> None:
    clock = Clock()
    deaths = CrashPolicy(clock)
    for _ in range(2):
        deaths.process_started(is_restart=False)
        assert not deaths.is_hopeless()
    deaths.forget()
    deaths.process_started(is_restart=True)
    deaths.answered()
    assert not deaths.is_hopeless()
