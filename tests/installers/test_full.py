"""A build: its environment, its recipe, its steps; what PyInstaller does is tried by a trial."""

import json
import sys
from pathlib import Path

import pytest

import explorer
from explorer.installers import full
from explorer.installers.failures import BuildFailure
from explorer.installers.frozen import contents, environment, recipe
from explorer.installers.frozen.environment import Frozen

ROOT = Path(explorer.__file__).parents[1]


def told(cuda):
    return json.dumps(
        {
            "packages": "/env/lib",
            "cuda": cuda,
            "library": "/usr/lib/python3.11",
            "torch": "2.13.0",
            "pyinstaller": "6.22.3",
        }
    )


def prepared(tmp_path, cuda):
    asked = []

    def run(command):
        asked.append(command)
        return f"{told(cuda)}\n"

    return environment.prepare(ROOT, tmp_path / "env", run, base="/usr/bin/python3"), asked


def test_an_environment_has_the_program_as_pinned_and_pyinstaller(tmp_path):
    frozen, asked = prepared(tmp_path, None)
    made, pinned, own, _ = asked
    assert made == ["/usr/bin/python3", "-m", "venv", str(tmp_path / "env")]
    assert pinned[-3:] == ["-c", str(ROOT / "constraints.txt"), f"{ROOT}[installers]"]
    assert own[-3:] == ["--no-deps", "--force-reinstall", str(ROOT)]
    assert frozen.package == Path("/env/lib/explorer")
    assert (frozen.torch, frozen.pyinstaller) == ("2.13.0", "6.22.3")


def test_a_torch_with_cuda_is_refused(tmp_path):
    with pytest.raises(BuildFailure, match=r"torch 2.13.0 has CUDA\. .* PIP_EXTRA_INDEX_URL"):
        prepared(tmp_path, "13.0")


def test_a_command_that_fails_shows_what_it_said():
    with pytest.raises(BuildFailure) as failed:
        environment.run([sys.executable, "-c", "import sys; print('why'); sys.exit(4)"])
    assert "why" in str(failed.value)
    assert str(failed.value).endswith("ended with 4.")
    with pytest.raises(BuildFailure, match="can't be run"):
        environment.run(["/nowhere/python"])


def test_a_recipe_says_where_everything_is(tmp_path):
    licences = tmp_path / "licences.json"
    package = tmp_path / "explorer"
    plugin = package / "bundled/plugins/one/__init__.py"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("def load():\n    from transformers.models.bert import BertModel\n")
    (package / "api").mkdir()
    (package / "api/__init__.py").touch()
    (package / "api/__init__.pyi").touch()
    file = tmp_path / "recipe.json"
    recipe.write(file, ROOT, package, version="0.1.0", licences=licences)
    said = json.loads(file.read_text("utf-8"))
    assert {"explorer.api", "transformers.models.bert", "qtawesome"} <= set(said["hidden"])
    assert [str(package / "api/__init__.pyi"), "explorer/api"] in said["data"]
    assert [str(plugin), "explorer/bundled/plugins/one"] in said["data"]
    assert [str(licences), "explorer/bundled"] in said["data"]
    assert Path(said["start"]).is_file()
    assert said["dropped_names"] == ["direct_url.json"], "it names a folder of this machine"
    for name in ("torch", "transformers", "sentencepiece", "protobuf", "mpld3", "XStatic-jQuery"):
        assert name in said["metadata"]


def test_what_plugins_require_can_be_asked_for_its_version():
    import tomllib

    known = {name.lower() for name in contents.asked_for_versions(ROOT)}
    for file in sorted((ROOT / "plugins").glob("*/plugin.toml")):
        for line in tomllib.loads(file.read_text("utf-8")).get("requires", ()):
            assert line.partition(">")[0].strip().lower() in known, f"{file}: {line}"


class Building:
    """A build whose commands are played: the freezing writes a folder of some bytes."""

    def __init__(self, monkeypatch, tmp_path, size):
        self.out = tmp_path / "out"
        frozen = Frozen(
            Path("/env/bin/python"),
            Path("/env/explorer"),
            Path("/lib/python3.11"),
            "2.13.0+cpu",
            "6.22.3",
        )
        monkeypatch.setattr(full.environment, "prepare", lambda *_: frozen)
        monkeypatch.setattr(full, "missing", lambda _: ())
        monkeypatch.setattr(full.notices, "ask_environment", lambda *_: None)
        monkeypatch.setattr(full.notices, "complete", lambda *_: None)
        monkeypatch.setattr(full.recipe, "write", lambda *_, **__: None)

        def freeze(command):
            assert command[1:3] == ["-m", "PyInstaller"]
            folder = self.out / "plm-explorer"
            folder.mkdir()
            with (folder / "plm-explorer").open("wb") as file:
                file.truncate(size)

        monkeypatch.setattr(full.environment, "run", freeze)
        self.build = full.Build(tmp_path / "work", self.out, None)


def test_a_build_tells_what_it_made(monkeypatch, tmp_path, capsys):
    building = Building(monkeypatch, tmp_path, 2_500_000)
    building.build.freeze()
    building.build.report()
    figures = json.loads((building.out / "build.json").read_text("utf-8"))
    assert figures["bytes"] == {"plm-explorer": 2_500_000}
    assert figures["torch"] == "2.13.0+cpu"
    assert set(figures["seconds"]) >= {"environment", "freezing"}
    assert "2.5 MB" in capsys.readouterr().out


def test_a_bundle_that_is_too_large_is_a_failure(monkeypatch, tmp_path):
    building = Building(monkeypatch, tmp_path, full.LARGEST + 1)
    with pytest.raises(BuildFailure, match="1,100,000,001 bytes, more than the 1,100,000,000"):
        building.build.freeze()


def test_what_the_system_lacks_is_named_before_anything_is_built(monkeypatch, tmp_path):
    building = Building(monkeypatch, tmp_path, 1)
    monkeypatch.setattr(full, "missing", lambda libraries: libraries[:1])
    with pytest.raises(BuildFailure, match=r"libGL\.so\.1"):
        building.build.freeze()
