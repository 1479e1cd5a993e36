"""The real engine's parts behind a gate that a test shuts and opens, in the engine's process.

Found there because tests/engine/conftest.py lets that process look into this folder.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.api.family import (
    CheckpointFault,
    Context,
    Entity,
    LoadOptions,
    MachineFault,
    PluginFault,
    Unavailable,
    UserMistake,
)
from explorer.api.question import ModelCard
from explorer.api.question.roles import RoleBinding
from explorer.engine.configuration import EngineConfiguration, Parts, RunnerPart, build_parts

GATE = "shut"
"""A file in the folder of the logs: while it is there, no question is answered."""

FAULTS: Mapping[str, Exception] = {
    "fault of the user": UserMistake("That can't be asked.", "Ask something else."),
    "fault of the checkpoint": CheckpointFault("A tensor is missing.", "Download it again."),
    "fault of the plugin": PluginFault("The plugin failed.", "Switch it off."),
    "fault of the machine": MachineFault("The memory is full.", "Close something."),
    "not there": Unavailable("The model has no such head."),
    "bug": ZeroDivisionError("by zero"),
}
"""What is raised for a text."""


def raise_fault_of(text: str) -> None:
    """Fail as a text says; nothing where it says nothing."""
    if text in FAULTS:
        raise FAULTS[text]


class GatedRunner:
    """The runner, which answers no question while the gate is shut."""

    def __init__(self, runner: RunnerPart, gate: Path) -> None:
        self._runner, self._gate = runner, gate

    @property
    def models(self) -> Mapping[str, Any]:
        return self._runner.models

    def load(
        self, slot: str, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> ModelCard:
        return self._runner.load(slot, checkpoint_id, options, context)

    def unload(self, slot: str) -> None:
        self._runner.unload(slot)

    def entities_named(self, slot: str, beginning: str, most: int) -> tuple[Entity, ...]:
        return self._runner.entities_named(slot, beginning, most)

    def ask(self, request: Any, models: RoleBinding, context: Context) -> Any:
        while self._gate.exists():
            context.check()
            context.progress("waiting", 1.0, 2.0)
            time.sleep(0.01)
        raise_fault_of(getattr(request, "text", ""))
        return self._runner.ask(request, models, context)


def build(configuration: EngineConfiguration) -> Parts:
    """The parts as the program has them, behind the gate."""
    assert configuration.logs is not None
    parts = build_parts(configuration)
    return replace(parts, runner=GatedRunner(parts.runner, configuration.logs / GATE))
