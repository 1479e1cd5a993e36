"""An engine whose packages are not there yet: it lists, lets wait, and goes on."""

import json

import pytest

from explorer import cli
from explorer.api.question import ModelCard
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.environment import bundle
from explorer.engine.environment.making import make
from explorer.engine.environment.waiting import use_if_ready
from explorer.engine.messages import Answer, ListCheckpoints, LoadModel, Ready, Stopped
from explorer.engine.plugins.manifest import _version_of, missing_requirement
from tests.engine.conftest import configuration, start_engine

__all__ = ["configuration", "start_engine"]


def test_the_library_answers_and_a_load_waits_until_the_packages_are_there(
    came_in, uv, place, start_engine
):
    engine, listener = start_engine(packages=place.folder)
    load = engine.submit("load:A", LoadModel("A", "some"))
    unwanted = engine.submit("load:B", LoadModel("B", "other"))
    library = engine.submit("library", ListCheckpoints())
    assert isinstance(listener.end_of("library", library), Answer)
    # What waits can be taken back.
    engine.cancel("load:B")
    assert isinstance(listener.end_of("load:B", unwanted), Stopped)
    assert listener.of_lane("load:A") == []
    assert not [event for event in listener.events if isinstance(event, Ready) and event.devices]
    make(came_in, place, came_in.variants["cpu"])
    assert isinstance(listener.end_of("load:A", load).result, ModelCard)


def test_plugins_take_what_is_promised_for_installed(came_in):
    _version_of.cache_clear()
    assert missing_requirement(("tiny-torch>=1.5",)) == ""
    assert missing_requirement(("tiny_helper==1.0",)) == ""
    assert missing_requirement(("tiny-torch>=3",)) == "tiny-torch>=3"
    assert missing_requirement(("no-such-package",)) == "no-such-package"
    _version_of.cache_clear()


def test_a_program_that_came_whole_waits_for_nothing(paths):
    assert bundle() is None
    assert use_if_ready(paths.engine)
    assert EngineConfiguration.of(paths).packages is None


def test_in_a_bundle_the_engine_is_told_where_its_packages_will_be(came_in, paths):
    assert EngineConfiguration.of(paths).packages == paths.engine
    assert not use_if_ready(paths.engine)


@pytest.fixture
def profile(tmp_path):
    return ["--profile", str(tmp_path / "profile")]


def test_the_command_line_says_what_is_missing_and_installs_it(
    came_in, uv, profile, tmp_path, capsys, monkeypatch
):
    def ask(args, program):
        import tiny_torch

        print(tiny_torch.NAME)
        return 0

    monkeypatch.setattr("explorer.commands.ask.run", ask)
    monkeypatch.setattr("explorer.engine.environment.machine.has_cuda", lambda: False)
    asked = [*profile, "ask", "masked_tokens", "The [MASK]."]
    assert cli.main(asked) == 1
    assert capsys.readouterr().err == (
        "The packages that run models are not installed yet. "
        "plm-explorer engine install installs them.\n"
    )
    assert cli.main([*profile, "engine", "install", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["installed"] == "cpu"
    assert told["variants"] == {"cpu": 1500, "cuda": 9500}
    assert told["folder"] == str(tmp_path / "profile/data/engine")
    assert cli.main(asked) == 0
    assert capsys.readouterr().out == "tiny_torch\n"


def test_offline_installs_nothing(came_in, uv, profile, capsys):
    assert cli.main([*profile, "--offline", "engine", "install"]) == 2
    assert "--offline keeps them from coming" in capsys.readouterr().err
    assert uv.calls == []
    assert cli.main([*profile, "engine"]) == 0
    said = capsys.readouterr().out.splitlines()[0]
    assert said == "The packages that run models are not installed yet."


def test_a_variant_that_the_bundle_lacks_is_a_mistake(came_in, uv, profile, capsys):
    assert cli.main([*profile, "engine", "install", "--for", "mps"]) == 2
    assert "Choose one of cpu, cuda" in capsys.readouterr().err


def test_a_whole_program_says_so(profile, capsys):
    assert cli.main([*profile, "engine"]) == 0
    assert "came whole" in capsys.readouterr().out
    assert cli.main([*profile, "engine", "install", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["installed"] == "whole"
