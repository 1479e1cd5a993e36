import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from explorer.api.family import CheckpointFault, Files, PluginFault
from explorer.engine.plugins.host import PluginHost
from explorer.engine.plugins.installed import ENTRY_POINTS

ROOT = Path(__file__).resolve().parents[3]
CODE = """
from explorer.api.family import Recognition


class Toy:
    id = "{id}"
    title = "Toy"
    score = {score}

    def recognise(self, files):
        if files.config.get("model_type") in {takes!r}:
            return Recognition(self.id, self.score, "A test says so.")

    def heads(self, files):
        return ()

    def offers(self, files):
        return frozenset()

    def offers_with(self, present):
        return frozenset()

    def architecture(self, config):
        return "Toy"

    def attention_shape(self, config):
        return 0, 0

    def max_length(self, config):
        return None

    def parameters(self, files):
        return 0

    def load(self, checkpoint_id, files, options, context):
        raise NotImplementedError


FAMILY = Toy()
"""


def manifest(name, faces="{ family = 2 }", **keys):
    lines = [f'id = "{name}"', f'title = "{name.title()}"', f"faces = {faces}", 'version = "0.3"']
    lines += [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(lines)


def published(line):
    keys = {"id": '"a/b"', "title": '"B"', "parameters": "1", "licence": '"x"', "languages": '"x"'}
    keys |= [line.split(" = ")]
    lines = [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join([manifest("bad"), "[[published]]", *lines])


def plugin(parent, name, toml=None, code=None, takes=("toy",), score=50):
    folder = parent / name
    folder.mkdir(parents=True)
    toml = toml if toml is not None else manifest(name, model_types='["toy"]')
    (folder / "plugin.toml").write_text(toml, encoding="utf-8")
    code = CODE.format(id=name, score=score, takes=takes) if code is None else code
    (folder / "__init__.py").write_text(textwrap.dedent(code), encoding="utf-8")
    return folder


def host(tmp_path, **options):
    return PluginHost(tmp_path / "bundled", tmp_path / "user", **{"entry_points": False, **options})


def files(**config):
    return Files(Path("toy"), "toy", config, {}, (), False, (), 0)


def record(plugins, name):
    return next(one for one in plugins.records if one.id == name)


def test_the_bundled_plugins_work():
    plugins = PluginHost(ROOT / "plugins", None, entry_points=False)
    assert plugins.records
    for one in plugins.records:
        assert (one.problem, one.traceback, one.enabled, one.source) == ("", "", True, "bundled")
        assert one.model_types
        assert one.version
    assert "bert" in plugins.families


def test_a_user_folders_plugin(tmp_path):
    folder = plugin(tmp_path / "user", "toy")
    plugins = host(tmp_path)
    one = record(plugins, "toy")
    assert (one.title, one.source, one.location) == ("Toy", "folder", str(folder))
    assert (one.version, one.model_types, one.enabled, one.problem) == ("0.3", ("toy",), True, "")
    family, recognition = plugins.family_of(files(model_type="toy"))
    assert (family.id, recognition.reason) == ("toy", "A test says so.")


@pytest.mark.parametrize(
    ("toml", "code", "problem", "details"),
    [
        ("id = ", None, "plugin.toml can't be read (TOMLDecodeError", True),
        ("id" + ".a" * 20_000 + " = 1", None, "read (a key in it has more than 20 parts)", True),
        ("id = " + "[" * 5_000, None, "can't be read (it is nested too deeply)", True),
        ("#" * (1 << 21), None, "can't be read (it takes more than 1 MB)", True),
        ('title = "x"\napi = 2', None, "the key id is missing", True),
        ('id = ""\ntitle = "x"\napi = 2', None, "the key id must be a text", True),
        ('id = 5\ntitle = "x"\napi = 2', None, "the key id must be a text", True),
        ('id = "bad"\ntitle = "x"\napi = "1"', None, "the key api must be a whole number", True),
        (manifest("bad", model_types='"toy"'), None, "model_types must be a list", True),
        (manifest("bad", model_types="[1]"), None, "model_types[0] must be a text", True),
        (manifest("bad", published='["x"]'), None, "[[published]]", True),
        (manifest("bad", published='"x"'), None, "the key published must be a list", True),
        (published("parameters = 1.5"), None, "published[0].parameters must be a whole", True),
        (published('licence = "" '), None, "the key published[0].licence must be a text", True),
        (published("figures = [{}]"), None, "published[0].figures[0].what is missing", True),
        (published("config = 1"), None, "the key published[0].config must be a table", True),
        ('id = "bad"\ntitle = "x"', None, "the key faces is missing", True),
        ('id = "bad"\ntitle = "x"\napi = 99', None, "written for api 99 of PLM Explorer", False),
        (manifest("bad", faces="{ hf = 99 }"), None, "written for hf 99 of PLM Explorer", False),
        (manifest("bad", faces="{ hf = 0 }"), None, "which has 1 now", False),
        (manifest("bad", faces="{ head = 1 }"), None, "faces.head is none of family, ", True),
        (manifest("bad", faces='{ hf = "1" }'), None, "must be a whole number", True),
        (manifest("bad", requires='["no-such-package>=1"]'), None, "needs no-such-package", False),
        (manifest("bad", requires='["numpy>=999"]'), None, "needs numpy>=999", False),
        (manifest("bad", requires='[">>"]'), None, "plugin.toml can't be read", True),
        (None, "import no_such_module", "ModuleNotFoundError: No module named", True),
        (None, "raise RuntimeError('boom')", "RuntimeError: boom", True),
        (None, "import sys; sys.exit(3)", "SystemExit: 3", True),
        (None, "def f(:", "SyntaxError", True),
        (None, "x = 1", "holds no FAMILY", False),
        (None, "class FAMILY:\n    id = 'bad'", "FAMILY lacks title, recognise", False),
        (None, CODE.format(id="other", score=1, takes=()), "named other, and its", False),
    ],
)
def test_a_broken_plugin_is_a_row_and_the_rest_work(tmp_path, toml, code, problem, details):
    plugin(tmp_path / "user", "bad", toml, code)
    plugin(tmp_path / "user", "good")
    plugins = host(tmp_path)
    bad = record(plugins, "bad")
    assert problem in bad.problem
    assert bool(bad.traceback) == details
    assert record(plugins, "good").problem == ""
    assert set(plugins.families) == {"good"}
    assert plugins.family_of(files(model_type="toy"))[0].id == "good"
    with pytest.raises(PluginFault):
        plugins.family("bad")


def test_a_plugin_without_a_manifest_or_a_module(tmp_path):
    (tmp_path / "user" / "empty").mkdir(parents=True)
    only = tmp_path / "user" / "only"
    only.mkdir()
    (only / "plugin.toml").write_text(manifest("only"))
    (tmp_path / "user" / "__pycache__").mkdir()
    plugins = host(tmp_path)
    assert [one.id for one in plugins.records] == ["empty", "only"]
    assert "there is no plugin.toml" in record(plugins, "empty").problem
    assert "no __init__.py" in record(plugins, "only").problem


def test_a_plugin_that_raises_while_it_looks(tmp_path):
    code = CODE.format(id="bad", score=1, takes=()).replace(
        "if files", "raise ValueError('boom')\n        if files"
    )
    plugin(tmp_path / "user", "bad", code=code)
    plugin(tmp_path / "user", "good")
    plugins = host(tmp_path)
    assert plugins.family_of(files(model_type="toy"))[0].id == "good"
    bad = record(plugins, "bad")
    assert "ValueError: boom" in bad.problem
    assert "raise ValueError" in bad.traceback


def test_the_first_of_two_with_one_id_wins(tmp_path):
    plugin(tmp_path / "bundled", "toy")
    plugin(tmp_path / "user", "other", manifest("toy"), CODE.format(id="toy", score=1, takes=()))
    records = host(tmp_path).records
    assert [(one.source, bool(one.problem)) for one in records] == [
        ("bundled", False),
        ("folder", True),
    ]
    assert "Another plugin is named toy" in records[1].problem


def test_the_highest_claim_wins(tmp_path):
    plugin(tmp_path / "user", "low", score=10)
    plugin(tmp_path / "user", "high", score=90)
    assert host(tmp_path).family_of(files(model_type="toy"))[0].id == "high"


def test_a_family_may_claim_what_its_manifest_does_not_name(tmp_path):
    plugin(tmp_path / "user", "other", takes=("strange",))
    assert host(tmp_path).family_of(files(model_type="strange"))[1].family == "other"


def test_nobody_knows_it(tmp_path):
    plugin(tmp_path / "user", "toy")
    with pytest.raises(CheckpointFault, match='type "strange"'):
        host(tmp_path).family_of(files(model_type="strange"))
    with pytest.raises(CheckpointFault, match="names no model_type"):
        host(tmp_path).family_of(files())


def test_switched_off(tmp_path):
    plugin(tmp_path / "user", "toy", code="raise RuntimeError('must not be imported')")
    plugins = host(tmp_path, disabled=frozenset({"toy"}))
    one = record(plugins, "toy")
    assert (one.enabled, one.problem) == (False, "")
    assert not plugins.families
    with pytest.raises(PluginFault, match="switched off"):
        plugins.family("toy")


def test_safe_mode_leaves_only_the_bundled(tmp_path):
    plugin(tmp_path / "bundled", "own")
    plugin(tmp_path / "user", "toy")
    plugins = host(tmp_path, safe_mode=True)
    assert {one.id: one.enabled for one in plugins.records} == {"own": True, "toy": False}
    assert set(plugins.families) == {"own"}


def test_plugins_are_imported_only_when_needed(tmp_path):
    mark = tmp_path / "imported"
    code = f"with open({str(mark)!r}, 'a') as f:\n    f.write('x')\n" + CODE.format(
        id="toy", score=1, takes=("toy",)
    )
    toml = manifest("toy", model_types='["toy"]') + textwrap.dedent(
        """
        [[published]]
        id = "a/b"
        title = "B"
        parameters = 5
        size_bytes = 20
        licence = "mit"
        languages = "English"
        [[miniatures]]
        id = "toy-miniature"
        title = "Toy miniature"
        """
    )
    plugin(tmp_path / "user", "toy", toml, code)
    plugins = host(tmp_path)
    assert [(family, one.id) for family, one in plugins.published] == [("toy", "a/b")]
    assert [(family, one.id) for family, one in plugins.miniatures] == [("toy", "toy-miniature")]
    assert not mark.exists()
    plugins.family_of(files(model_type="toy"))
    plugins.family_of(files(model_type="toy"))
    assert plugins.records
    assert mark.read_text() == "x"


def test_two_threads_that_ask_at_once_get_the_same_family(tmp_path):
    """The second one waits for the import that the first one began."""
    code = "import threading; threading.Event().wait(0.1)\n"
    plugin(tmp_path / "user", "toy", code=code + CODE.format(id="toy", score=1, takes=("toy",)))
    plugins = host(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: plugins.families.get("toy"), range(4)))
    assert found[0] is not None
    assert all(family is found[0] for family in found)


def test_a_plugin_may_have_several_files(tmp_path):
    folder = plugin(tmp_path / "user", "toy", code="from .family import FAMILY")
    (folder / "family.py").write_text(CODE.format(id="toy", score=1, takes=("toy",)))
    assert set(host(tmp_path).families) == {"toy"}


def test_plugins_among_the_installed_packages(tmp_path, monkeypatch):
    site = tmp_path / "site"
    package = plugin(site, "toy_family_package", manifest("toy", model_types='["toy"]'))
    (package / "__init__.py").write_text(CODE.format(id="toy", score=1, takes=("toy",)))
    for name, target in (("toy_family", "toy_family_package"), ("lost", "no_such_package")):
        info = site / f"{name}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\n{name} = {target}\n")
    monkeypatch.syspath_prepend(str(site))
    plugins = host(tmp_path, entry_points=True)
    found = {one.id: one for one in plugins.records if one.source == "package"}
    assert (found["toy"].location, found["toy"].problem) == ("toy_family 1.2", "")
    assert "there is no package no_such_package" in found["lost"].problem
    assert set(plugins.families) == {"toy"}


def test_families_come_without_torch(tmp_path):
    code = (
        "import sys; from pathlib import Path; from explorer.engine.plugins.host import PluginHost;"
        f"assert PluginHost(Path({str(ROOT / 'plugins')!r})).families;"
        "assert not {'torch', 'transformers', 'huggingface_hub'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=ROOT)


def test_threads_that_ask_at_once_share_one_list(tmp_path):
    imports = tmp_path / "imports.txt"
    note = f"with open({str(imports)!r}, 'a') as file:\n    file.write('once ')\n"
    code = note + CODE.format(id="toy", score=1, takes=())
    plugin(tmp_path / "user", "toy", code=code)
    plugins = host(tmp_path)
    barrier = threading.Barrier(8)

    def ask(_number):
        barrier.wait()
        return plugins.records

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(ask, range(8)))
    assert imports.read_text("utf-8") == "once "
    assert {id(records[0]) for records in seen} == {id(record(plugins, "toy"))}


class ImportedMeanwhile(str):
    """The name of a module; while somebody looks at it, another thread imports another one."""

    __slots__ = ()

    def startswith(self, *arguments):
        sys.modules.setdefault(f"imported_while_{self}", sys)
        return super().startswith(*arguments)


def test_a_family_is_found_while_another_thread_imports(tmp_path, monkeypatch):
    """As torch is, at every start, for as long as the library is being read."""
    monkeypatch.setitem(sys.modules, ImportedMeanwhile("somebody_s"), sys)
    plugin(tmp_path / "user", "toy", code=CODE.format(id="toy", score=1, takes=()))
    plugins = host(tmp_path)
    try:
        assert set(plugins.families) == {"toy"}
        assert record(plugins, "toy").problem == ""
        assert "imported_while_somebody_s" in sys.modules
    finally:
        sys.modules.pop("imported_while_somebody_s", None)
