"""Of the tests those are left out for which nothing has changed: their reach, and digests."""

import functools
from pathlib import Path

import pytest

from tests import passed
from tests.loads import LOADS
from tests.named import LOADING, facts_of
from tests.reach import APART, LOCALE, RUNNERS, WINDOW, Reach

ROOT = Path(__file__).resolve().parent.parent
TESTS = sorted(one.relative_to(ROOT).as_posix() for one in ROOT.glob("tests/**/test_*.py"))
FILES = {
    "explorer/__init__.py": "",
    "explorer/api/__init__.py": "from explorer.faces import face",
    "explorer/api/__init__.pyi": "from .asked import Asked\nfrom .told import Told",
    "explorer/api/asked.py": "",
    "explorer/api/told.py": "",
    "explorer/faces.py": "from importlib import import_module",
    "explorer/kit/__init__.py": "from explorer.faces import face",
    "explorer/kit/__init__.pyi": "from .told import Kept\nfrom ..api.told import Told",
    "explorer/kit/told.py": "",
    "explorer/all/__init__.py": "from explorer.faces import face",
    "explorer/all/__init__.pyi": "from explorer.kit import *",
    "explorer/questions/__init__.py": "import pkgutil; pkgutil.iter_modules",
    "explorer/questions/masking/first/question.py": "from explorer import numbers",
    "explorer/questions/masking/first/compute.py": "import explorer.hf",
    "explorer/questions/masking/first/headline.py": "",
    "explorer/questions/masking/first/page.py": "from explorer.ui import chart",
    "explorer/questions/masking/first/drawn.py": "import explorer.ui.chart",
    "explorer/questions/masking/other/question.py": 'QUESTION = Question("The other one")',
    "explorer/questions/masking/other/compute.py": "",
    "explorer/questions/masking/other/page.py": "from explorer.ui import chart",
    "explorer/questions/many/file_of_sentences/question.py": "import explorer.files_of_sentences",
    "explorer/files_of_sentences/__init__.py": "from explorer.files_of_sentences import runners",
    "explorer/files_of_sentences/runners/__init__.py": "",
    "explorer/numbers.py": "import numpy; show('lists')",
    "explorer/lists.py": 'FOLDER: Final = "lists"\ndef read(name): own_resources() / FOLDER / name',
    "explorer/whole.py": "def read(name): own_resources() / name",
    "explorer/pretraining/made.py": "",
    "explorer/types.py": "",
    "explorer/hf/__init__.py": "def load():\n    from plugins import bert",
    "explorer/ui/chart.py": "",
    "explorer/ui/views/__init__.py": "import explorer.questions; import_module",
    "explorer/window.py": "import explorer.ui.views",
    "plugins/bert/__init__.py": "",
    "plugins/bert/plugin.toml": "",
    "resources/models/small/config.json": "",
    "resources/lists/words.txt": "",
    "resources/locale/ko/plm.po": "",
    "tests/conftest.py": "import explorer.ui.chart\n@fixture\ndef both(one): ...\n"
    "@fixture\ndef one(): import explorer.hf",
    "tests/helper.py": "from explorer.questions import all_questions",
    "tests/masking/conftest.py": "import explorer.numbers\ndef model(): import explorer.hf",
    "tests/masking/expected.json": "",
    "tests/test_numbers.py": '"explorer.hf"\nfrom explorer import numbers',
    "tests/test_types.py": "if TYPE_CHECKING:\n    import explorer.types",
    "tests/test_fixture.py": "def test_it(both): ...",
    "tests/test_data.py": 'MODELS = ROOT / "resources" / "models"',
    "tests/test_lists.py": "import explorer.lists",
    "tests/test_whole.py": "import explorer.whole",
    "tests/test_not_there.py": 'ROOT / "resources" / "lists" / "missing.txt"',
    "tests/test_own.py": 'def test_it(tmp_path): (tmp_path / "resources" / "lists").mkdir()',
    "tests/test_words.py": 'use("ko"); ROOT / "resources"',
    "tests/test_program.py": "run([sys.executable, '-c', 'import explorer.numbers'])",
    "tests/test_engine.py": "def test_it(): begin(EngineProcess)",
    "tests/test_run.py": "run('import explorer.hf')",
    "tests/test_all.py": "from tests import helper",
    "tests/test_looked_up.py": "from explorer.questions import all_questions\n"
    'all_questions()["first"]\nall_questions.cache_clear()',
    "tests/test_named.py": "import explorer.questions\nask('other')",
    "tests/test_titled.py": "import explorer.window\nclick('The other one')",
    "tests/test_window.py": "import explorer.window\nsay('the other way, at first')",
    "tests/ui/fake_engine.py": "",
    "tests/test_from_data.py": "import explorer.window; from tests.ui import fake_engine\n"
    "click('The other one')",
    "tests/test_from_both.py": "import explorer.window, explorer.hf\n"
    "from tests.ui import fake_engine; click('The other one')",
    "tests/test_asked.py": "from explorer.api import Asked",
    "tests/test_told.py": "from explorer import api\napi.Told",
    "tests/test_kit.py": "from explorer.kit import Told",
    "tests/test_kept.py": "from explorer.kit import Kept",
    "tests/test_shown.py": "from explorer.all import Kept",
    "tests/test_files.py": "from explorer.questions import question_of\nask('file_of_sentences')",
    "tests/masking/test_first.py": "from explorer.questions.masking.first.question import X",
    "tests/masking/test_page.py": "from explorer.questions.masking.first.page import PAGE",
    "tests/masking/test_model.py": "def test_it(model): ...",
}
"""A small program with its tests."""


@pytest.fixture
def program(tmp_path):
    root = tmp_path / "program"
    for path, text in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for pin in passed.PINS:
        (root / pin).write_text("torch==2.8", encoding="utf-8")
    return root


def files_of_tests(root):
    return [path for path in passed.snapshot(root) if path.rpartition("/")[2].startswith("test_")]


def all_passed(root, folder):
    """What was written down of a run in which all of them passed."""
    known = passed.Passed(folder, root)
    known.write(files_of_tests(root), passed.snapshot(root))
    return known


def reruns(known, root):
    return {Path(one).stem for one in set(files_of_tests(root)) - set(known.unchanged())}


EVERY = {Path(path).stem for path in FILES if Path(path).name.startswith("test_")}
LOADING_MODELS = {
    *("test_fixture", "test_run", "test_all", "test_first", "test_model", "test_looked_up"),
    "test_from_both",
}
IN_A_WINDOW = {"test_titled", "test_from_data", "test_from_both"}
CHANGES = {
    "explorer/numbers.py": {
        *("test_numbers", "test_all", "test_first", "test_page", "test_model", "test_looked_up")
    },
    "explorer/hf/__init__.py": LOADING_MODELS,
    "explorer/questions/masking/first/question.py": {"test_all", "test_first", "test_looked_up"},
    "explorer/questions/masking/first/compute.py": {"test_all", "test_first", "test_looked_up"},
    "explorer/questions/masking/first/headline.py": {"test_all", "test_first", "test_looked_up"},
    "explorer/questions/masking/first/page.py": {"test_page"},
    "explorer/questions/masking/first/drawn.py": set(),
    "explorer/questions/masking/other/question.py": {"test_all", "test_named"} | IN_A_WINDOW,
    "explorer/questions/masking/other/compute.py": {
        *("test_all", "test_named", "test_titled", "test_from_both")
    },
    "explorer/questions/masking/other/page.py": IN_A_WINDOW,
    "explorer/files_of_sentences/__init__.py": {"test_all", "test_files"},
    "explorer/files_of_sentences/runners/__init__.py": {"test_files"},
    "explorer/api/__init__.pyi": {"test_told"},
    "explorer/api/asked.py": {"test_asked", "test_told"},
    "explorer/api/told.py": {"test_told", "test_kit"},
    "explorer/faces.py": {"test_asked", "test_told", "test_kit", "test_kept", "test_shown"},
    "explorer/kit/told.py": {"test_kept", "test_shown"},
    "explorer/ui/chart.py": {"test_page"} | IN_A_WINDOW,
    "explorer/window.py": {"test_window"} | IN_A_WINDOW,
    "explorer/types.py": set(),
    "explorer/pretraining/made.py": set(),
    "plugins/bert/__init__.py": LOADING_MODELS,
    "resources/models/small/config.json": {"test_data", "test_words", "test_whole"},
    "resources/lists/words.txt": {"test_lists", "test_words", "test_whole", "test_not_there"},
    "resources/locale/ko/plm.po": {"test_words"},
    "tests/helper.py": {"test_all"},
    "tests/ui/fake_engine.py": {"test_from_data", "test_from_both"},
    "tests/conftest.py": EVERY,
    "tests/masking/conftest.py": {"test_first", "test_page", "test_model"},
    "tests/masking/expected.json": {"test_first", "test_page", "test_model"},
    "tests/test_numbers.py": {"test_numbers"},
    "constraints.txt": EVERY,
    "pyproject.toml": EVERY,
}


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_brings_back_what_stands_on_it(path, program, tmp_path):
    known = all_passed(program, tmp_path / "kept")
    assert reruns(known, program) == set()
    file = program / path
    file.write_text(file.read_text("utf-8") + "\n# other", encoding="utf-8")
    of_the_program = path.startswith(("explorer/", "plugins/", "resources/"))
    of_the_program &= not path.startswith(("explorer/questions/", f"{RUNNERS}/", LOCALE, *APART))
    of_an_engine = of_the_program and not path.startswith(WINDOW)
    expected = CHANGES[path] | ({"test_program"} if of_the_program else set())
    expected |= {"test_engine"} if of_an_engine else set()
    assert reruns(known, program) == expected
    file.write_text(FILES.get(path, "torch==2.8"), encoding="utf-8")
    assert reruns(known, program) == set()


def test_a_name_of_the_interface_that_moved_brings_back_who_takes_it(program, tmp_path):
    known = all_passed(program, tmp_path / "kept")
    stub = program / "explorer/api/__init__.pyi"
    stub.write_text("from .told import Asked, Told", encoding="utf-8")
    assert reruns(known, program) == {"test_asked", "test_told", "test_program", "test_engine"}


def test_a_new_file_and_one_that_went_bring_back_who_reads_their_folder(program, tmp_path):
    known = all_passed(program, tmp_path / "kept")
    (program / "resources/models/other.json").touch()
    (program / "tests/masking/expected.json").unlink()
    found = {"test_data", "test_words", "test_program", "test_first", "test_page", "test_model"}
    found |= {"test_whole", "test_engine"}
    assert reruns(known, program) == found


@pytest.mark.parametrize("kept", ["{", "[]", None])
def test_without_what_is_kept_everything_runs(kept, program, tmp_path):
    known = all_passed(program, tmp_path / "kept")
    file = tmp_path / "kept" / passed.PASSED
    file.unlink() if kept is None else file.write_text(kept, encoding="utf-8")
    assert reruns(known, program) == EVERY


def test_another_environment_runs_everything(program, tmp_path, monkeypatch):
    known = all_passed(program, tmp_path / "kept")
    passed.surroundings.cache_clear()
    with monkeypatch.context() as patch:
        patch.setenv("ATEN_CPU_CAPABILITY", "default")
        assert reruns(known, program) == EVERY
    passed.surroundings.cache_clear()
    assert reruns(known, program) == set()


def test_what_was_edited_meanwhile_is_not_written_down(program, tmp_path):
    known = passed.Passed(tmp_path / "kept", program)
    before = passed.snapshot(program)
    (program / "explorer/ui/chart.py").write_text("edited = True", encoding="utf-8")
    known.write(files_of_tests(program), before)
    assert reruns(known, program) == {"test_page", "test_program"} | IN_A_WINDOW


class Kept:
    """Stands in for what is kept."""

    def write(self, tests, before):
        self.tests = tests


def report(name, outcome="passed", when="teardown"):
    return pytest.TestReport(name, (name, 0, name), {}, outcome, None, when)


def test_only_a_file_of_which_every_test_ran_and_none_failed_is_written_down(program):
    kept = Kept()
    writing = passed.GenerationState(kept, program)
    ids = [f"tests/{file}.py::{test}" for file in ("a", "b", "c", "d") for test in ("x", "y")]
    writing.pytest_xdist_node_collection_finished(None, ids)
    for one in ids[:-1]:  # the last one's worker died
        writing.pytest_runtest_logreport(report(one, when="call"))
        writing.pytest_runtest_logreport(report(one))
    writing.pytest_runtest_logreport(report("tests/b.py::x", "failed", "call"))
    writing.pytest_runtest_logreport(report("tests/c.py::x", "failed", "teardown"))
    writing.pytest_sessionfinish()
    assert kept.tests == ["tests/a.py"]


# ---- the program ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files():
    return passed.snapshot()


@pytest.fixture(scope="module")
def reach(files):
    # What the last run has kept of files that are as they were; to read all of them takes long.
    kept = passed.Passed(ROOT / ".pytest_cache/d/passed")
    return functools.cache(Reach(files, kept.facts(files)).of)


def test_every_module_that_imports_by_names_made_up_says_which(files):
    """Else what it imports is none of its tests' business, as far as the choice can see."""
    found = {
        path
        for path in files
        if path.startswith(("explorer/", "plugins/"))
        and path.endswith(".py")
        and LOADING.search((ROOT / path).read_text("utf-8"))
        and facts_of(path, (ROOT / path).read_text("utf-8")).loads
    }
    assert found == set(LOADS)


@pytest.mark.parametrize(
    ("test", "stands_on"),
    [
        ("tests/journeys/test_heads.py", ["explorer/app.py", "explorer/engine/runner.py"]),
        (
            "tests/questions/masking/surprisal/test_compute.py",
            ["explorer/numerics/", "plugins/bert/"],
        ),
        ("tests/questions/test_questions.py", ["explorer/questions/masking/surprisal/compute.py"]),
        ("tests/text/test_catalogues.py", ["resources/locale/ko/"]),
    ],
)
def test_what_tests_of_the_program_stand_on(test, stands_on, reach):
    for start in stands_on:
        assert any(path.startswith(start) for path in reach(test)), start


EDITS, PICTURE = "questions/cause/edits", "questions/architecture/architecture"
HEADLINES, EXPERIMENTS = "tests/questions/test_headlines.py", "tests/learning/experiments"


def test_a_window_that_is_answered_from_data_computes_nothing(reach):
    """Pages of all questions are its tests' business, and what computes their answers is not."""
    test = "tests/ui/window/pages/test_pages.py"
    assert f"explorer/{EDITS}/page.py" in reach(test)
    assert f"explorer/{EDITS}/compute.py" not in reach(test)
    assert f"explorer/{EDITS}/compute.py" in reach("tests/questions/test_kept_answers.py")


@pytest.mark.parametrize(
    ("path", "most", "owns"),
    [
        (f"explorer/{EDITS}/question.py", 0.3, [f"tests/{EDITS}/test_compute.py", HEADLINES]),
        (f"explorer/{EDITS}/compute.py", 0.14, [f"tests/{EDITS}/test_compute.py"]),
        ("explorer/hf/generate/gibbs.py", 0.6, ["tests/hf/generate/test_gibbs.py"]),
        (f"explorer/{PICTURE}/page.py", 0.3, [f"tests/{PICTURE}/test_page.py"]),
        ("resources/samples/samples.toml", 0.55, ["tests/samples/test_samples.py"]),
        ("resources/experiments/more_data.json", 0.55, [f"{EXPERIMENTS}/test_results.py"]),
        (
            f"{RUNNERS}/worker.py",
            0.15,
            [f"tests/files_of_sentences/runners/test_{one}.py" for one in ("processes", "blocks")],
        ),
    ],
)
def test_a_change_in_one_place_leaves_most_tests_out(path, most, owns, reach):
    """Each of these once brought back nearly all: by a registry, a helper, a face, a word."""
    assert sum(path in reach(one) for one in TESTS) <= most * len(TESTS)
    for own in owns:
        assert path in reach(own), own
