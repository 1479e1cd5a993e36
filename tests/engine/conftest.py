"""Engines in processes of their own."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from explorer.engine.configuration import EngineConfiguration
from explorer.processes import own_processes
from tests import unloading

if TYPE_CHECKING:
    from explorer.engine.process.client import EngineProcess
    from explorer.engine.process.watchdog import Patience

# The engine's process looks there, too, and so finds the stand-in's requests and runner.
FOLDERS = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "hub")]
sys.path[:0] = FOLDERS


@pytest.fixture(scope="module", autouse=True)
def found_by_the_engine() -> Iterator[None]:
    """Let its process import what stands beside the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_processes, "_also", FOLDERS)
        yield


@pytest.fixture
def wholly_unloaded() -> Iterator[None]:
    """Unload models as the program does."""
    with unloading.unloaded_wholly():
        yield


@pytest.fixture
def configuration(tmp_path: Path) -> EngineConfiguration:
    """An engine with the stand-in's parts."""
    import standin

    return EngineConfiguration(
        bundled_plugins=tmp_path / "plugins",
        bundled_models=tmp_path / "models",
        hub_cache=tmp_path / "hub",
        logs=tmp_path / "logs",
        with_torch=False,
        build=standin.build,
    )


@pytest.fixture
def start_engine(
    configuration: EngineConfiguration,
) -> Iterator[Callable[..., tuple["EngineProcess", Any]]]:
    """Call it, with what is to differ from the configuration, for a running engine."""
    from listening import Listener

    from explorer.engine.process.client import EngineProcess

    engines: list[EngineProcess] = []

    def start(
        *, patience: "Patience | None" = None, **changes: Any
    ) -> tuple[EngineProcess, Listener]:
        engine = EngineProcess(replace(configuration, **changes), patience)
        engines.append(engine)
        listener = Listener()
        engine.start(listener)
        return engine, listener

    yield start
    for engine in engines:
        engine.close()


@pytest.fixture(scope="module")
def shared_engine(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple["EngineProcess", Any]]:
    """One engine for tests that leave it as it was."""
    import standin
    from listening import Listener

    from explorer.engine.process.client import EngineProcess

    folder = tmp_path_factory.mktemp("engine")
    engine = EngineProcess(
        EngineConfiguration(folder, folder, with_torch=False, build=standin.build)
    )
    with closing(engine):
        listener = Listener()
        engine.start(listener)
        yield engine, listener


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The small hub with a checkpoint on it."""
    from small_hub import small_hub

    from tests.engine.fetching import FILES, NAME, OTHERS

    with small_hub() as running:
        monkeypatch.setenv("HF_ENDPOINT", running.address)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        running.add(NAME, {**OTHERS, **FILES})
        yield running


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """An empty Hugging Face cache."""
    return tmp_path / "hub"
