"""An engine that hangs is told of, and one that only works hard is not: real processes."""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import standin

from explorer.engine.configuration import build_parts
from explorer.engine.messages import (
    Ask,
    Died,
    ListCheckpoints,
    LoadModel,
    PluginCallBegan,
    PluginCallEnded,
    Progress,
    Ready,
    Responsive,
    Stopped,
    Unresponsive,
)
from explorer.engine.process.watchdog import Patience, Watchdog
from explorer.paths import Paths
from tests import odd_plugin
from tests.hf import tiny

Start = Callable[..., tuple[Any, Any]]
USUAL = Patience()
SHORT = Patience(tick=0.25, silent=2.0, unobeyed=1.0, looking=1.0)
"""So that what is told of after seconds is told of soon."""
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


@POSIX
def test_a_stopped_engine_is_told_of_until_it_goes_on_or_is_replaced(start_engine: Start) -> None:
    engine, listener = start_engine(patience=SHORT)
    listener.end_of("load:A", engine.submit("load:A", LoadModel("A", "small")))
    os.kill(engine.pid, signal.SIGSTOP)
    told = listener.wait_for(Unresponsive, timeout=4 * USUAL.silent)
    assert told.reason.startswith("The engine has not answered for ")
    os.kill(engine.pid, signal.SIGCONT)
    listener.wait_for(Responsive)

    after = len(listener.events)
    os.kill(engine.pid, signal.SIGSTOP)
    asked = engine.submit("view", Ask(standin.Which()))
    listener.wait_for(Unresponsive, after=after, timeout=4 * USUAL.silent)
    engine.restart()
    died = listener.wait_for(Died)
    assert died.restarting
    assert [(call.lane, call.number) for call in died.lost] == [("view", asked)]
    again = engine.submit("view", Ask(standin.Which()))
    assert listener.end_of("view", again).result == "small", "the model is not back"


def test_a_cancel_that_is_not_obeyed_is_told_of_until_it_is(start_engine: Start) -> None:
    engine, listener = start_engine(patience=SHORT)
    number = engine.submit("view", Ask(standin.Work(400, is_deaf=True)))
    listener.wait_for(Progress)
    engine.cancel("view")
    told = listener.wait_for(Unresponsive)
    assert told.reason.startswith("The engine has not stopped what was cancelled ")
    assert isinstance(listener.end_of("view", number), Stopped)
    listener.wait_for(Responsive)


def test_an_engine_that_works_hard_is_not_said_to_hang(start_engine: Start) -> None:
    engine, listener = start_engine(patience=SHORT)
    listener.wait_for(Ready, lambda event: event.devices != ())
    asked = engine.submit("view", Ask(standin.Compute(2 * SHORT.silent)))
    assert listener.end_of("view", asked).result == "computed"
    assert not [e for e in listener.events if isinstance(e, Unresponsive | Responsive)]


HANGS = {
    "recognise": "def recognise(self, files):\n    __import__('threading').Event().wait()",
    # With the interpreter to itself, so that the whole process is silent.
    "holding the interpreter": (
        "def recognise(self, files):\n    __import__('ctypes').PyDLL(None).pause()"
    ),
}


@pytest.mark.parametrize("how", ["recognise", pytest.param("holding the interpreter", marks=POSIX)])
def test_a_plugin_that_never_returns_is_named_and_the_next_process_does_without(
    start_engine: Start, tmp_path: Path, how: str
) -> None:
    folder = tiny.save_bert(tmp_path / "odd-bert")
    odd_plugin.write(tmp_path / "own", member=HANGS[how])
    engine, listener = start_engine(
        patience=SHORT,
        build=build_parts,
        bundled_plugins=Paths.standard().bundled_plugins,
        user_plugins=tmp_path / "own",
    )
    listing = ListCheckpoints((str(folder),))
    number = engine.submit("library", listing)
    told = listener.wait_for(Unresponsive, lambda event: bool(event.plugin))
    assert (told.plugin, told.title) == ("odd", "Odd")
    assert told.reason.startswith("The plugin Odd has not answered for ")
    engine.configuration = replace(engine.configuration, disabled_plugins=frozenset({told.plugin}))
    engine.restart()
    died = listener.wait_for(Died)
    assert [(call.lane, call.number) for call in died.lost] == [("library", number)]
    after = len(listener.events)
    found = listener.end_of("library", engine.submit("library", listing)).result
    assert [(row.id, row.family) for row in found if row.id == str(folder)] == [
        (str(folder), "bert")
    ]
    assert not [e for e in listener.events[after:] if isinstance(e, Unresponsive)]


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now

    def looks(self, pulse: Watchdog, seconds: float) -> list[object]:
        told = []
        for _ in range(round(seconds / USUAL.tick)):
            self.now += USUAL.tick
            told.append(pulse.look())
        return [one for one in told if one is not None]


def test_the_start_may_take_longer_and_a_pause_of_the_machine_does_not_count() -> None:
    clock = Clock()
    pulse = Watchdog(USUAL, clock)
    assert clock.looks(pulse, USUAL.silent_at_first - USUAL.tick) == []
    assert len(clock.looks(pulse, USUAL.tick)) == 1
    pulse.started()
    pulse.heard(Ready(1, ("cpu",)))
    clock.now += 3_600
    assert pulse.look() is None
    pulse.heard(object())
    told = clock.looks(pulse, 8 * USUAL.silent)
    assert told == [
        Unresponsive(f"The engine has not answered for {n} s.") for n in (6, 12, 24, 48)
    ]
    pulse.heard(object())
    assert clock.looks(pulse, USUAL.silent - USUAL.tick) == [Responsive()]


def test_a_plugin_counts_until_it_returns_and_is_told_of_by_its_name() -> None:
    clock = Clock()
    pulse = Watchdog(USUAL, clock)
    pulse.heard(Ready(1, ("cpu",)))
    assert USUAL.silent < USUAL.looking < 2 * USUAL.silent
    pulse.heard(PluginCallBegan(1, "quick", "Quick"))
    pulse.heard(PluginCallEnded(1))
    pulse.heard(PluginCallBegan(2, "slow", "Slow"))
    pulse.heard(PluginCallBegan(3, "within", "Within"))
    told = clock.looks(pulse, 2 * USUAL.looking)
    assert told == [
        Unresponsive("The engine has not answered for 6 s."),
        *(
            Unresponsive(
                f"The plugin Slow has not answered for {n} s, and what was asked waits for it.",
                "slow",
                "Slow",
            )
            for n in (10, 20)
        ),
    ]
    pulse.heard(PluginCallEnded(3))
    pulse.heard(PluginCallEnded(2))
    assert clock.looks(pulse, USUAL.tick) == [Responsive()]
    pulse.heard(PluginCallBegan(4, "slow", "Slow"))
    pulse.started()
    pulse.heard(Ready(1, ("cpu",)))
    pulse.heard(object())
    assert clock.looks(pulse, USUAL.silent - USUAL.tick) == [], "that process is gone"


def test_a_cancel_counts_until_its_call_ends() -> None:
    clock = Clock()
    pulse = Watchdog(USUAL, clock)
    pulse.heard(Ready(1, ("cpu",)))
    pulse.cancelled(("view", 1))
    pulse.ended(("view", 1))
    for _ in range(20):
        pulse.heard(object())
        assert clock.looks(pulse, USUAL.tick) == []
    pulse.cancelled(("view", 2))
    told = []
    for _ in range(round(USUAL.unobeyed / USUAL.tick)):
        pulse.heard(object())
        told += clock.looks(pulse, USUAL.tick)
    assert told == [Unresponsive("The engine has not stopped what was cancelled 5 s ago.")]
