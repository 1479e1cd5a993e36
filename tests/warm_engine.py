"""Engines that begin with torch imported: forked from a process that imported it once a worker.

A spawned engine imports torch and transformers for two to three seconds. What a journey tries
begins behind that, and the tests of starts (tests/engine/process, tests/test_app.py) spawn.
"""

import multiprocessing
import os
from collections.abc import Mapping
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import pytest

from explorer.engine.configuration import EngineConfiguration
from explorer.engine.process import entry

IMPORTED = [
    "torch",
    "transformers.models.auto.modeling_auto",
    "transformers.models.bert.modeling_bert",
    "explorer.engine.process.server",
    "explorer.engine.runner",
    "explorer.hf.family.base",
]
HAS_FORKS = "forkserver" in multiprocessing.get_all_start_methods()


def warm_forks() -> Any:
    """Makes processes that have imported torch when they begin; spawns them where it can't."""
    if not HAS_FORKS:
        return multiprocessing.get_context("spawn")
    forks: Any = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(IMPORTED)
    return forks


def use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let engines of this test begin so, where the system can."""
    if not HAS_FORKS:
        return
    forks = warm_forks()
    usual = multiprocessing.get_context

    def context_of(method: str | None = None) -> Any:
        return forks if method == "spawn" else usual(method)

    monkeypatch.setattr(multiprocessing, "get_context", context_of)
    monkeypatch.setattr(entry, "run", Begin())


class Begin:
    """The engine's beginning, with the environment of the moment when it begins."""

    def __reduce__(self) -> tuple[Any, ...]:
        return partial, (run, dict(os.environ))


def run(
    environment: Mapping[str, str],
    connection: Connection,
    configuration: EngineConfiguration,
    _window: int,
) -> None:
    """Be the engine, with the environment that a spawned one would have."""
    os.environ.clear()
    os.environ.update(environment)
    # It is the server's child, and ends with it.
    BEGIN(connection, configuration, os.getppid())


BEGIN = entry.run
