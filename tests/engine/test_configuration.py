import pickle
import subprocess
import sys
from pathlib import Path

from explorer.api.family import UserMistake
from explorer.api.family.checkpoint import Source
from explorer.engine.configuration import EngineConfiguration, build_parts, build_runner
from explorer.paths import Paths


def test_it_follows_from_the_paths_and_what_the_user_chose(paths: Paths) -> None:
    configuration = EngineConfiguration.of(
        paths, device="cpu", offline=True, disabled_plugins=frozenset({"bert"}), threads=2
    )
    assert configuration.bundled_plugins == paths.bundled_plugins
    assert configuration.user_plugins == paths.user_plugins
    assert configuration.bundled_models == paths.bundled_models
    assert configuration.hub_cache == paths.hub_cache
    assert configuration.logs == paths.logs
    assert configuration.device == "cpu"
    assert configuration.offline
    assert not configuration.safe_mode
    assert configuration.disabled_plugins == {"bert"}
    assert configuration.threads == 2
    assert configuration.with_torch


def test_it_can_be_pickled(paths: Paths) -> None:
    configuration = EngineConfiguration.of(paths)
    again = pickle.loads(pickle.dumps(configuration))
    assert again == configuration
    assert again.build is build_parts


def test_the_parts_are_built_as_configured(paths: Paths) -> None:
    parts = build_parts(EngineConfiguration.of(paths, disabled_plugins=frozenset({"bert"})))
    assert [record.enabled for record in parts.host.described() if record.id == "bert"] == [False]
    parts = build_parts(EngineConfiguration.of(paths, offline=True))
    assert [record.enabled for record in parts.host.described() if record.id == "bert"] == [True]
    published = [row for row in parts.catalogue.list() if row.source is Source.HUB]
    assert published
    assert all("offline" in row.problem for row in published)


def test_a_runner_alone_for_who_has_no_window(paths: Paths) -> None:
    runner = build_runner(EngineConfiguration.of(paths))
    assert dict(runner.models) == {}


def test_neither_building_nor_the_client_imports_torch_or_qt() -> None:
    code = (
        "import sys, pathlib\n"
        "from explorer.paths import Paths\n"
        "import explorer.engine.process.client\n"
        "from explorer.engine.configuration import EngineConfiguration, build_parts\n"
        "parts = build_parts(EngineConfiguration.of(Paths.standard()))\n"
        "parts.catalogue.list(); parts.host.described()\n"
        "bad = {'torch', 'transformers', 'huggingface_hub', 'PySide6'} & set(sys.modules)\n"
        "print(sorted(bad))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.stderr == ""
    assert done.stdout == "[]\n"


def test_user_mistakes_cross_as_they_are() -> None:
    again = pickle.loads(pickle.dumps(UserMistake("wrong", "do this")))
    assert (again.message, again.hint) == ("wrong", "do this")
