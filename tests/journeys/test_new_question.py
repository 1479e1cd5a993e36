"""A question with one option and one table: a folder, and it is there wherever questions are."""

import json
import shutil
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from explorer import cli, questions
from explorer.api.question import Context, Table
from explorer.api.question.rows.column_titles import titled
from explorer.paths import Paths, own_resources
from explorer.program import Program
from explorer.questions import all_questions
from explorer.sessions.read.reader import SessionReader
from explorer.text import language as languages
from explorer.text import said
from explorer.tour.hands import Hands, wait_until
from explorer.ui import views
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.views.frame.view_frame import FrameState
from tests.hf.kept import miniature
from tests.speaking import Some
from tests.ui.fake_engine import MINIATURE

pytestmark = [
    pytest.mark.qt_log_ignore(r"This plugin does not support propagateSizeHints\(\)"),
    pytest.mark.usefixtures("warm_engine"),
]

PLUGIN = Path(__file__).resolve().parents[1] / "new_question"
NAME = "piece_lengths"
TEXT = "the chef cooked the delicious meal ."
LONG = [("chef", 4), ("cooked", 6), ("delicious", 9), ("meal", 4)]


TITLE = {"Piece lengths": "조각 길이"}
"""What a translator has added; what else the question says, other questions say too."""


def copied(folder, to):
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("__pycache__"))


@pytest.fixture
def plugin(paths):
    """The question, brought by a plugin."""
    copied(PLUGIN, paths.user_plugins / PLUGIN.name)


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The question as one of the program's own: its folder lies among those of its topic."""
    topic = import_module("explorer.questions.tokenizers")
    place = tmp_path / "own"
    copied(PLUGIN / "questions" / "tokenizers", place)
    (place / NAME / "__init__.py").touch()

    def look_anew():
        questions.own_folders.cache_clear()
        questions.all_questions.cache_clear()
        monkeypatch.setattr(views, "_latest", [])

    topic.__path__.append(str(place))
    look_anew()
    yield
    topic.__path__.remove(str(place))
    for name in [one for one in sys.modules if one.startswith(f"{topic.__name__}.{NAME}")]:
        del sys.modules[name]
    vars(topic).pop(NAME, None)
    look_anew()


@pytest.fixture(params=["plugin", "own"])
def dropped(request):
    """The question, dropped in either way."""
    request.getfixturevalue(request.param)
    return request.param


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
    seen_in_the_window(running, paths)


def test_in_the_window_among_the_programs_own(paths, own, engine, start, qtbot, monkeypatch):
    question = all_questions()[NAME]
    bert = miniature("bert-miniature")
    answers = {question.request: lambda request, _card: question.run(bert, request, Context())}
    engine.answers.update(answers)
    questions = (*MINIATURE.operations, NAME)
    engine.catalogue = (replace(MINIATURE, operations=questions), *engine.catalogue[1:])
    running = start()
    seen_in_the_window(running, paths)
    # And once its title is translated.
    korean = languages.Language("ko", "ko", Some(TITLE))
    monkeypatch.setattr(languages, "of_setting", lambda *_: korean)
    window = running.window
    running.speak("ko")
    qtbot.waitUntil(lambda: running.window is not window)
    assert running.window.tree.pages.index_of(NAME).data() == TITLE["Piece lengths"]
    monkeypatch.undo()
    running.speak(languages.SOURCE)


def seen_in_the_window(running, paths):
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
    # Each block of a plugin is guarded.
    every = (getattr(one, "block", one) for one in view.declared.blocks(view.shown()))
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


def test_on_the_command_line(paths, dropped, main, tmp_path):
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


def test_it_passes_the_check(dropped, paths, main):
    bringing = paths.user_plugins / PLUGIN.name
    # A model is asked one of the program's own by the check of its family.
    checked = paths.bundled_plugins / "bert" if dropped == "own" else bringing
    told = main("check", checked, "--question", NAME)
    assert "FAIL" not in told
    assert "takes emoji" in told


def test_it_speaks_korean_where_the_program_has_the_words(paths, plugin, main, tmp_path):
    told = main("ask", NAME, "--help", "--language", "ko")
    assert "문장" in told
    Program(Paths.profile(tmp_path / "profile")).bring_questions()
    before = languages.current()
    languages.use(languages.find("ko", own_resources() / "locale"))
    try:
        assert said(titled("rows", all_questions()[NAME].titles)) == "행"
        table = Table.of(import_module(all_questions()[NAME].request.__module__).PieceLength, ())
        assert [one.heading for one in table.described()] == ["위치", "토큰", "글자"]
    finally:
        languages.use(before)
