"""A question with one option and one table: a folder, and it is there wherever questions are."""

import json
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from explorer import cli
from explorer.api import Table
from explorer.api.question.column_titles import titled
from explorer.paths import Paths, own_resources
from explorer.program import Program
from explorer.questions import all_operations
from explorer.sessions.read.reader import SessionReader
from explorer.text import language as languages
from explorer.text import said
from explorer.tour.hands import Hands, wait_until
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.views.frame.view_frame import FrameState

pytestmark = [
    pytest.mark.qt_log_ignore(r"This plugin does not support propagateSizeHints\(\)"),
    pytest.mark.usefixtures("warm_engine"),
]

PLUGIN = Path(__file__).resolve().parents[1] / "new_question"
NAME = "piece_lengths"
TEXT = "the chef cooked the delicious meal ."
LONG = [("chef", 4), ("cooked", 6), ("delicious", 9), ("meal", 4)]


@pytest.fixture
def plugin(paths):
    shutil.copytree(
        PLUGIN, paths.user_plugins / PLUGIN.name, ignore=shutil.ignore_patterns("__pycache__")
    )


@pytest.fixture
def main(tmp_path, capfd):
    def run(*arguments, code=0):
        capfd.readouterr()
        profile = tmp_path / "profile"
        status = cli.main(["--profile", str(profile), "--device", "cpu", *map(str, arguments)])
        done = capfd.readouterr()
        assert status == code, done.err + done.out
        return done.out

    return run


def test_it_is_one_folder_of_few_lines():
    files = [one for one in PLUGIN.rglob("*.py") if "__pycache__" not in one.parts]
    assert sorted(one.name for one in files) == ["compute.py", "question.py"]
    assert len({one.parent for one in files}) == 1
    assert sum(len(one.read_text("utf-8").splitlines()) for one in files) <= 250


def test_in_the_window(paths, plugin, open_window):
    running = open_window(offline=True)
    window, hands = running.window, Hands(running.window)
    window.view_area.bring_forward(NAME)
    running.bench.edits.take_text(TEXT, "new.txt")
    frame = window.view_area.frames[NAME]
    wait_until(lambda: frame.state is FrameState.RESULT, "an answer")
    hands.settle()
    view = window.view_of(NAME)
    assert view.table().columns == ("position", "token", "letters")
    # The request's field is the option: it asks anew, and is in the caption and the log.
    assert set(view.bar.widgets) == {f"{NAME}.least"}
    running.bench.edits.set_option(f"{NAME}.least", 4)
    wait_until(lambda: [row[1:] for row in view.table().rows] == LONG, "the long ones")
    hands.settle()
    assert "Least letters = 4" in view.caption()
    # Each block is guarded, as all of a plugin's.
    every = (one.block for one in view.declared.blocks(view.shown()))
    (table,) = (one for one in every if isinstance(one, BarTable))
    assert [row.bars[0].value for row in table.rows] == [4, 6, 9, 4]
    reader = SessionReader(paths.sessions)
    stored = reader.run(reader.runs()[0].id)
    assert (stored.request.least, [one.letters for one in stored.result.lengths]) == (
        4,
        [4, 6, 9, 4],
    )
    window.sheet.add(view)
    assert [entry.operation for entry in window.sheet.dialog.entries] == [NAME]
    window.sheet.dialog.close()
    view.pin()
    running.bench.edits.set_option(f"{NAME}.least", 5)
    wait_until(lambda: len(view.table().rows) == 2, "the longest")
    hands.settle()
    assert view.table().column("pinned_letters") == (6, 9)


def test_on_the_command_line(paths, plugin, main, tmp_path):
    assert NAME in main("ask", "--list")
    assert "Leave out shorter tokens." in main("ask", NAME, "--help")
    asked = json.loads(main("ask", NAME, TEXT, "--least", 4, "-m", "bert-miniature", "--json"))
    assert [(one["token"], one["letters"]) for one in asked["lengths"]] == LONG
    # Beyond the option's ends there is one sentence, wherever it is asked.
    main("ask", NAME, TEXT, "--least", 0, "-m", "bert-miniature", code=2)
    sentences = tmp_path / "some.txt"
    sentences.write_text(f"{TEXT}\nthe cat sat .\n", encoding="utf-8")
    assert "rows" in main("over", sentences, "--ask", NAME, "-m", "bert-miniature")
    run = next(one for one in SessionReader(paths.sessions).runs() if one.operation == NAME)
    assert "same" in main("sessions", "replay", run.id).lower()
    picture = tmp_path / "new.png"
    main("ask", NAME, TEXT, "-m", "bert-miniature", "--picture", picture)
    assert picture.stat().st_size > 0


def test_it_passes_the_check(plugin, paths, main):
    told = main("check", paths.user_plugins / PLUGIN.name, "--question", NAME)
    assert "FAIL" not in told


def test_it_speaks_korean_where_the_program_has_the_words(paths, plugin, main, tmp_path):
    told = main("ask", NAME, "--help", "--language", "ko")
    assert "문장" in told
    Program(Paths.profile(tmp_path / "profile")).bring_questions()
    before = languages.current()
    languages.use(languages.find("ko", own_resources() / "locale"))
    try:
        assert said(titled("rows", all_operations()[NAME].column_titles)) == "행"
        table = Table.of(import_module(all_operations()[NAME].request.__module__).PieceLength, ())
        assert [one.heading for one in table.described()] == ["위치", "토큰", "글자"]
    finally:
        languages.use(before)
