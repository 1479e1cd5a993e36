"""An engine that takes the last of the memory is ended before that, and what it did is said."""

from dataclasses import dataclass
from typing import Any

import psutil
import pytest
import standin
from listening import Listener

from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import Answer, Ask, Died, LoadModel
from explorer.engine.process.client import EngineProcess
from explorer.engine.process.crash_policy import out_of_memory
from explorer.engine.process.memory_guard import MemoryGuard

MB = 10**6


@dataclass
class SmallMachine:
    """A machine with little memory besides what the engine's process has."""

    size: int = 0
    engine: Any = None

    def free(self) -> int:
        """As `free_memory`, of this machine."""
        pid = None if self.engine is None else self.engine.pid
        if pid is None:
            return self.size
        held = psutil.Process(pid).memory_info()
        return max(0, self.size - (held.rss - getattr(held, "shared", 0)))


def test_one_that_allocates_in_c_is_ended_told_and_replaced(
    configuration: EngineConfiguration,
) -> None:
    machine = SmallMachine(600 * MB)
    engine = EngineProcess(configuration, memory=MemoryGuard(machine.free))
    listener = Listener()
    machine.engine = engine
    engine.start(listener)
    try:
        fits = engine.submit("view", Ask(standin.Allocate(50 * MB)))
        assert isinstance(listener.end_of("view", fits), Answer)
        engine.submit("view", Ask(standin.Allocate(4_000 * MB)))
        died = listener.wait_for(Died)
        assert died.reason.startswith("The engine held ")
        assert "GB of memory over a question, and was ended" in died.reason
        assert [call.request for call in died.lost] == [Ask(standin.Allocate(4_000 * MB))]
        assert died.restarting
        again = engine.submit("view", Ask(standin.Echo("here")))
        assert listener.end_of("view", again).result == "here"
    finally:
        engine.close()


def test_what_it_did_is_named() -> None:
    assert out_of_memory(8_200 * MB, LoadModel("A", "some/model")) == (
        "The engine held 8.2 GB of memory while it loaded some/model, and was ended before the "
        "machine had none left."
    )
    assert out_of_memory(10**9, None).startswith("The engine held 1.0 GB of memory, and was")


@pytest.mark.parametrize(("left", "is_too_little"), [(1 << 40, False), (1 << 30, False), (0, True)])
def test_a_process_is_only_to_blame_where_hardly_anything_is_left(
    left: int, is_too_little: bool
) -> None:
    held = MemoryGuard(lambda: left).look(psutil.Process().pid)
    assert (held is not None) is is_too_little


def test_one_that_has_ended_holds_nothing() -> None:
    assert MemoryGuard(lambda: 0).look(2**22 + 1) is None
