"""The rules of the house, checked: style, types, boundaries, sizes."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from explorer.faces import homes
from tests import import_circles, static_checks, whole_suite
from tests.source_facts import When, facts_of

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 500
VAGUE_NAMES = {"manager", "utils", "helpers", "misc", "util", "helper", "common"}
HEAVY = {"torch", "transformers", "bertviz"}
FACES = {
    "explorer.api.family": "family",
    "explorer.api.question": "question",
    "explorer.hf": "hf",
    "explorer.ui.blocks": "blocks",
}
"""By what a plugin.toml calls them."""
OF_PLUGINS = ("plugins", "tests/plugins/modernbert", "tests/plugins/xlnet", "tests/new_question")


def sources(*folders):
    found = [ROOT / "main.py"] if not folders else []
    for folder in folders or ("explorer", "plugins", "tests", "benchmarks"):
        found += sorted((ROOT / folder).rglob("*.py"))
    return found


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def run_tool(*command):
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=170
    )


def asked_at_import(path):
    """Full names that a module asks for when it is imported."""
    return {
        name for one in facts_of(path).imports if one.when is When.AT_IMPORT for name in one.asked
    }


@pytest.fixture
def checked(request):
    """What a static check said, which may have begun before the first test."""
    folder = request.config.stash[whole_suite.PLAN].checks_folder
    return lambda check: static_checks.result(check, folder)


def test_ruff_has_nothing_to_say(checked):
    for check in ("style", "layout"):
        status, said = checked(check)
        assert status == 0, said


@pytest.mark.timeout(static_checks.PATIENCE)
def test_mypy_has_nothing_to_say(checked):
    status, said = checked("types")
    assert status == 0, said


@pytest.mark.timeout(static_checks.PATIENCE)
def test_import_contracts_hold(checked):
    status, said = checked("imports")
    assert status == 0, said
    kept = re.search(r"Contracts: (\d+) kept, 0 broken", said)
    assert kept, said
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert int(kept[1]) == len(settings["tool"]["importlinter"]["contracts"])


def test_plugins_import_from_faces_that_they_state_and_nothing_deeper():
    manifests = [one for folder in OF_PLUGINS for one in (ROOT / folder).rglob("plugin.toml")]
    assert len(manifests) > len(OF_PLUGINS)
    for manifest in manifests:
        asked = set()
        for path in sources(manifest.parent):
            for one in facts_of(path).imports:
                if any(name.partition(".")[0] == "explorer" for name in one.asked):
                    assert one.module in {*FACES, "explorer.text"}, f"{name_of(path)}:{one.line}"
                    asked.add(one.module)
        stated = tomllib.loads(manifest.read_text("utf-8"))["faces"]
        assert set(stated) == {FACES[one] for one in asked - {"explorer.text"}}, manifest


def test_pages_import_from_faces_and_nothing_deeper():
    """Of the window, and of the interface; numbers and words are everybody's."""
    found = []
    for path in sources("explorer/questions"):
        imports = facts_of(path).imports
        asked = {name for one in imports for name in one.asked}
        if any(name.startswith(("explorer.ui.", "PySide6")) for name in asked):
            found += [
                f"{name_of(path)}:{one.line}"
                for one in imports
                if one.module.startswith(("explorer.ui", "explorer.api"))
                and one.module not in FACES
            ]
    assert found == []


def test_what_is_imported_from_a_face_is_one_of_its_names():
    """A module behind it would be found as well, as soon as somebody has imported that."""
    for path in sources("explorer", "plugins"):
        for one in facts_of(path).imports:
            if one.module in FACES:
                names = {name.rpartition(".")[2] for name in one.names}
                assert names <= homes(one.module).keys(), f"{name_of(path)}:{one.line}"


def test_names_of_the_interface_are_imported_from_one_of_its_faces():
    """`explorer.api` shows all of them, to plugins written before there were two."""
    for path in sources():
        for one in facts_of(path).imports:
            assert one.module != "explorer.api", f"{name_of(path)}:{one.line}"


def test_the_program_never_imports_a_plugin():
    for path in sources("explorer"):
        for one in facts_of(path).imports:
            for name in one.asked:
                assert name.partition(".")[0] != "plugins", f"{name_of(path)} imports {name}"


def test_no_module_needs_one_that_needs_it():
    """Types alone count too: who is handed a window is handed a `HostWindow`."""
    assert import_circles.circles(ROOT, "explorer") == []


def test_a_circle_is_found_even_inside_functions(tmp_path):
    package = tmp_path / "some"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "one.py").write_text("from some import two\n")
    (package / "two.py").write_text("def late():\n    import some.three\n")
    (package / "three.py").write_text("import some.one\nimport os\n")
    assert import_circles.circles(tmp_path, "some") == [["some.one", "some.three", "some.two"]]


@pytest.mark.parametrize("folder", ["explorer/api", "explorer/questions", "explorer/commands"])
def test_torch_is_imported_inside_functions_only(folder):
    files = [*sources(folder), ROOT / "explorer/cli.py", ROOT / "explorer/headless.py"]
    for path in files:
        for name in asked_at_import(path):
            assert name.partition(".")[0] not in HEAVY, f"{name_of(path)} imports {name}"


def test_the_command_line_imports_neither_qt_nor_torch():
    code = (
        "import sys; from explorer.cli import all_commands, build_parser;"
        "build_parser(all_commands());"
        "print({'PySide6', 'torch', 'transformers', 'numpy'} & set(sys.modules))"
    )
    assert run_tool("-c", code).stdout.strip() == "set()"


def test_only_one_module_knows_pyqtgraph_and_nothing_imports_that_one_at_the_start():
    """It takes half a second to import, so charts and matrices ask for it when they are drawn."""
    knows, at_start = set(), set()
    for path in sources():
        asked = {name for one in facts_of(path).imports for name in one.asked}
        if any(name.partition(".")[0] == "pyqtgraph" for name in asked):
            knows.add(name_of(path))
        if "explorer.ui.charts.scene" in asked_at_import(path):
            at_start.add(name_of(path))
    assert knows == {"explorer/ui/charts/scene.py"}
    assert at_start == {
        "explorer/ui/charts/plot.py",
        "explorer/ui/matrices/heads/canvas.py",
        "explorer/ui/matrices/heat_canvas.py",
    }


def test_files_stay_small():
    for path in sources():
        lines = path.read_text("utf-8").count("\n")
        assert lines <= LONGEST_FILE, f"{name_of(path)} has {lines} lines"


def test_names_say_what_is_inside():
    for path in sources():
        assert not VAGUE_NAMES & set(path.stem.lower().split("_")), name_of(path)
        for name in facts_of(path).classes:
            words = {word.lower() for word in re.findall(r"[A-Z][a-z]+", name)}
            assert not VAGUE_NAMES & words, f"{name_of(path)}: {name}"


def test_pages_take_distances_from_the_scale():
    """Blocks say no pixels of their own: the room above one, and a card's width, have names."""
    wrong = []
    for path in sources("explorer", "plugins"):
        text = path.read_text(encoding="utf-8")
        if "above=" not in text and "narrowest=" not in text:
            continue
        for call in ast.walk(ast.parse(text)):
            # Cells of a matrix are no cards.
            if not isinstance(call, ast.Call) or ast.unparse(call.func) == "CellSize":
                continue
            said = {one.arg: one.value for one in call.keywords}
            wrong += [
                f"{name_of(path)}:{call.lineno}"
                for name in said.keys() & {"above", "narrowest"}
                if any(isinstance(one, ast.Constant) for one in ast.walk(said[name]))
            ]
    assert wrong == []


def test_no_widget_is_asked_which_one_tab_goes_to_next():
    """PySide takes the answer for a child of who was asked, and for deleted once that one is."""
    for path in sources("explorer", "plugins"):
        found = re.search(r"\b(next|previous)InFocusChain\(", path.read_text("utf-8"))
        assert found is None, f"{name_of(path)}: {found[0]}"


def test_nothing_is_left_to_do():
    # Split, so that this line does not find itself.
    marks = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX")) + r")\b")
    for path in sources():
        found = marks.search(path.read_text("utf-8"))
        assert found is None, f"{name_of(path)}: {found[0]}"


def test_test_folders_are_no_packages():
    for found in (ROOT / "tests").rglob("__init__.py"):
        # A plugin that tests drop in is a package, and holds no tests.
        assert (found.parent / "plugin.toml").is_file(), name_of(found)
        assert not list(found.parent.rglob("test_*.py")), name_of(found)


def test_constraints_name_no_place_to_download_from():
    text = (ROOT / "constraints.txt").read_text("utf-8")
    assert "torch==2.13.0\n" in text
    assert re.fullmatch(r"([A-Za-z0-9._-]+==[A-Za-z0-9.!]+\n)+", text)
