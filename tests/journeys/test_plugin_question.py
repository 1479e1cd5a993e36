"""A question that a plugin brings: in the window with a real engine, and on the command line."""

import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from explorer import cli
from explorer.document import Document
from explorer.sessions.read.reader import SessionReader
from explorer.tour.hands import Hands, wait_until
from explorer.ui.in_steps import InSteps
from explorer.ui.library.plugins.dialog import RECORD
from explorer.ui.views.frame.view_frame import FrameState
from explorer.ui.window.menus.command_finder import CommandFinder
from tests import plugin_question
from tests.journeys.acting import opened_again
from tests.plugin_question import NAME
from tests.ui.sample_menu import take_sample

pytestmark = [
    pytest.mark.qt_log_ignore(r"This plugin does not support propagateSizeHints\(\)"),
    pytest.mark.usefixtures("warm_engine"),
]

ROOT = Path(__file__).resolve().parents[2]
TEXT = "the chef cooked the meal ."
HIDDEN = "the chef cooked the [MASK] ."


@pytest.fixture
def plugin(paths):
    return plugin_question.write(paths.user_plugins)


@pytest.fixture
def main(tmp_path, capfd):
    """The program's own command."""

    def run(*arguments, code=0):
        capfd.readouterr()
        profile = tmp_path / "profile"
        status = cli.main(["--profile", str(profile), "--device", "cpu", *map(str, arguments)])
        done = capfd.readouterr()
        assert status == code, done.err + done.out
        return done

    return run


def show(running, hands):
    running.window.view_area.bring_forward(NAME)
    start = TEXT.index("meal")
    running.bench.state.edit("meal", Document(TEXT).with_mask(start, start + 4))
    frame = running.window.view_area.frames[NAME]
    wait_until(lambda: frame.state is FrameState.RESULT, "an answer")
    hands.settle()
    return frame


def plugin_rows(running):
    dialog = running.window.commands.show_plugins()
    wait_until(lambda: dialog.tree.topLevelItemCount() > 0, "the plugins")
    records = [
        dialog.tree.topLevelItem(row).data(0, RECORD)
        for row in range(dialog.tree.topLevelItemCount())
    ]
    ticked = {
        record.id
        for row, record in enumerate(records)
        if dialog.tree.topLevelItem(row).checkState(0) == Qt.CheckState.Checked
        and dialog.tree.topLevelItem(row).data(0, Qt.ItemDataRole.CheckStateRole) is not None
    }
    dialog.close()
    # A question has no tick of its own: it comes and goes with its plugin.
    assert ticked == {record.id for record in records if not record.part_of}
    return {record.id: record for record in records}


def test_in_the_window(paths, plugin, open_window, tmp_path):
    running = open_window(offline=True)
    window, hands = running.window, Hands(running.window)
    # Listed with the other questions of its topic, and nowhere else.
    buttons = list(window.tree.pages.names)
    assert buttons.index("masked_tokens") < buttons.index(NAME) < buttons.index("attention")
    headings = list(window.tree.pages.topics)
    assert headings.count("Predict") == 1
    assert len(headings) == len(set(headings))
    frame = show(running, hands)
    view = window.view_of(NAME)
    (mask,) = view.result.masks
    assert 1 < mask.length < 15
    first, *_rest = view.page.page.nodes
    assert first.name == (
        f"The longest word is expected at position {mask.position}, as “{mask.likeliest}”."
    )
    # The option that asks anew does, and is undone; the other one only draws.
    bar = view.bar.widgets
    assert set(bar) == {"expected_length.unit", "expected_length.whole"}
    reader = SessionReader(paths.sessions)
    runs = len(reader.runs())
    running.bench.edits.set_option("expected_length.whole", True)
    hands.settle()
    assert len(reader.runs()) == runs
    running.bench.edits.set_option("expected_length.unit", "bytes")
    wait_until(lambda: len(reader.runs()) == runs + 1, "the run in bytes")
    hands.settle()
    assert reader.run(reader.runs()[0].id).request.unit == "bytes"
    running.bench.state.stack.undo()
    hands.settle()
    assert view.bar.widgets["expected_length.unit"] is not None
    # Exported, and laid on the comparison sheet.
    assert view.table().columns == ("position", "length", "likeliest")
    assert "plugin word-lengths 1.0" in view.caption()
    from explorer.ui.theme.schemes import theme_of

    assert view.figure(800, theme_of("light")) is not None
    window.sheet.add(view)
    assert [entry.operation for entry in window.sheet.dialog.entries] == [NAME]
    window.sheet.dialog.close()
    # Reopened from the log, and asked again.
    run_id = next(run.id for run in reader.runs() if run.operation == NAME)
    stored = reader.run(run_id)
    assert stored.versions["plugin word-lengths"] == "1.0"
    running.bench.edits.take_text("the cat [MASK] on the mat .", "other.txt")
    hands.settle()
    window.commands.restore_run(run_id)
    wait_until(lambda: view.document is not None and view.document.text == TEXT, "the run")
    asked_again = []
    running.bench.asking.replayed.connect(lambda old, new: asked_again.append((old, new)))
    running.bench.asking.run_again()
    wait_until(lambda: bool(asked_again), "the replay")
    ((old, new),) = asked_again
    assert old.result.masks == new.result.masks
    # It is asked of every sentence of a file too.
    from explorer.questions.many.file_of_sentences.casting import offered_by

    assert NAME in offered_by(running.bench.models.cards, "A", running.bench.state.document)
    assert plugin_rows(running)["word-lengths"].questions == ("Expected length",)
    assert frame.state is FrameState.RESULT


@pytest.mark.qt_log_ignore(
    r"This plugin does not support (propagateSizeHints\(\)|raise\(\)|grabbing the keyboard)"
)
def test_its_samples_are_in_the_menu_in_search_and_on_its_empty_page(
    paths, plugin, open_window, qtbot
):
    running = open_window(offline=True)
    window, hands = running.window, Hands(running.window)
    bench = running.bench
    # What its page lacks, one click gives it.
    bench.state.edit("no mask", bench.state.document.without_masks())
    window.view_area.bring_forward(NAME)
    hands.settle()
    frame = window.view_area.frames[NAME]
    (button,) = (one for one in frame.findChildren(QPushButton) if one.text() == "Try an example")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    hands.settle()
    assert len(window.view_of(NAME).result.masks) == 2
    assert bench.state.document.option("expected_length.unit") == "letters"
    # Under Samples and in Ctrl+K it comes with its page.
    window.view_area.bring_forward("tokens")
    assert take_sample(window, "A long word and a short one").view == NAME
    assert window.view_area.opened == [NAME]
    window.view_area.bring_forward("tokens")
    window.commands.find_command()
    finder = window.findChild(CommandFinder)
    finder.field.setText("long word short one")
    finder.action_of(0).trigger()
    finder.close()
    assert window.view_area.opened == [NAME]


def reload(running):
    """Choose it in the dialog; the rows that are there then, and what the dialog says."""
    window = running.window
    dialog = window.commands.show_plugins()
    wait_until(lambda: dialog.tree.topLevelItemCount() > 0, "the plugins")
    dialog.reload.click()
    wait_until(lambda: running.window is not window, "a window made anew")
    dialog = opened_again(running)
    tree = dialog.tree
    rows = [tree.topLevelItem(row).data(0, RECORD) for row in range(tree.topLevelItemCount())]
    note = dialog.findChild(QLabel, "plugins_note").text()
    dialog.close()
    return {record.id: record for record in rows}, note


def test_it_is_read_anew_without_leaving_the_program(paths, plugin, open_window):
    running = open_window(offline=True)
    hands = Hands(running.window)
    show(running, hands)
    assert running.window.view_of(NAME).result.masks[0].length < 15
    change = partial(plugin_question.change, plugin)
    change("compute.py", "[float(len(word)) for", "[float(len(word)) + 100 for")
    change("page.py", "A word of {", "A very long word of {")
    _rows, note = reload(running)
    assert note.endswith("all working. Each brings a family of models, questions, or both.")

    def view():
        return running.window.view_of(NAME)

    wait_until(lambda: view().has_result and view().result.masks[0].length > 100, "the new answer")
    Hands(running.window).settle()
    assert "A very long word of" in str([one.name for one in view().page.page.nodes])
    # A fault that is written meanwhile costs the question, and its mending brings it back.
    change("question.py", "QUESTION = Question(", "QUESTION = = Question(")
    rows, note = reload(running)
    assert "1 with a problem" in note
    assert "SyntaxError" in str(rows["word-lengths/masking/expected_length"].problem)
    assert NAME not in running.window.tree.pages.names
    assert running.window.view_of("masked_tokens") is not None
    change("question.py", "QUESTION = = Question(", "QUESTION = Question(")
    reload(running)
    assert NAME in running.window.tree.pages.names


def test_on_the_command_line(paths, main, plugin, tmp_path):
    listed = json.loads(main("ask", "--list", "--json").out)["questions"]
    (told,) = (one for one in listed if one["name"] == NAME)
    assert (told["topic"], told["roles"]) == ("masking", ["model"])
    answers = []
    for unit in ("letters", "bytes"):
        done = main("ask", NAME, HIDDEN, "--unit", unit, "-m", "bert-miniature", "--json")
        answers.append(json.loads(done.out)["masks"][0])
    assert answers[0]["likeliest"] == answers[1]["likeliest"]
    assert 1 < answers[0]["length"] <= answers[1]["length"]
    sentences = tmp_path / "some.txt"
    sentences.write_text(f"{HIDDEN}\nthe [MASK] sat .\n", encoding="utf-8")
    done = main("over", sentences, "--ask", NAME, "-m", "bert-miniature")
    assert "length" in done.out
    run = SessionReader(paths.sessions).runs()[-1]
    assert run.operation == NAME
    again = main("sessions", "replay", run.id)
    assert "same" in (again.out + again.err).lower()
    # Without its plugin it is listed still, with its rows, and says what is missing.
    shutil.rmtree(plugin)
    assert NAME in main("sessions", "list").out
    shown = main("sessions", "show", run.id).out
    assert "The plugin word-lengths, which brought the question expected_length, is not" in shown
    main("ask", NAME, HIDDEN, code=2)


def test_the_engine_never_imports_a_page_and_the_window_never_what_answers(tmp_path, plugin):
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS, str(tmp_path / "profile")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr


IMPORTS = """
import sys
import threading
from pathlib import Path
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions import all_questions

def imported():
    return sorted(name.rpartition(".")[2] for name in sys.modules if "expected_length." in name)

Program(Paths.profile(Path(sys.argv[1]))).bring_questions()
assert "expected_length" in all_questions()
assert imported() == ["question"], imported()
assert not {"torch", "transformers", "PySide6"} & set(sys.modules)
from explorer.ui.views import listed
(page,) = (one for one in listed() if one.of.name == "expected_length")
assert imported() == ["question"], imported()
assert page.view.of.name == "expected_length"
assert imported() == ["page", "question"], imported()
assert not {"torch", "transformers"} & set(sys.modules)
"""


BROKEN = {
    "question": ("question.py", "QUESTION = Question(", "QUESTION = (", "SyntaxError"),
    "none": ("question.py", "QUESTION = Question(", "OTHER = Question(", ""),
    "taken": ("question.py", 'name="expected_length"', 'name="masked_tokens"', ""),
    "samples": ("samples.toml", '"The"]', '"ugly"]', ""),
    "page": ("page.py", "PAGE = Page(", "PAGE = 1 / 0\nPAGE = Page(", "ZeroDivisionError"),
}
SAID = {
    "question": "It does not work (SyntaxError: ",
    "none": "Its question.py holds no QUESTION.",
    "taken": (
        "The program has a question named masked_tokens itself (Masked tokens): give it another."
    ),
    "samples": "Its samples.toml does not work (UserMistake: ",
    "page": "It does not work (ZeroDivisionError: division by zero).",
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_one_is_a_row_and_the_rest_works(paths, plugin, open_window, what):
    file, old, new, raised = BROKEN[what]
    if what == "question":
        plugin_question.change(plugin, file, "QUESTION = Question(", "QUESTION = = Question(")
    else:
        plugin_question.change(plugin, file, old, new)
    running = open_window(offline=True)
    window = running.window
    assert window.view_of("masked_tokens").has_result
    # Nobody has shown it: the pages are imported behind the first answer.
    steps = running.bench.findChildren(InSteps)
    wait_until(lambda: all(one.is_done for one in steps), "the pages")
    rows = plugin_rows(running)
    assert (NAME in window.tree.pages.names) == (what == "page")
    if what == "page":
        window.view_area.bring_forward(NAME)
        Hands(window).settle()
        assert window.view_area.frames[NAME].empty_page.sentence.text() == (
            "The plugin Word lengths failed to show this (ZeroDivisionError: division by zero). "
            "The Plugins dialog has the details."
        )
    assert rows["word-lengths"].problem == ""
    row = rows["word-lengths/masking/expected_length"]
    assert row.problem.startswith(SAID[what])
    assert raised in row.traceback
    assert bool(row.traceback) == bool(raised)


@pytest.mark.parametrize("where", ["blocks", "layout", "of", "effect", "no effect"])
def test_a_page_that_raises_is_told_and_the_rest_works(paths, plugin, open_window, where):
    if where == "blocks":
        plugin_question.change(plugin, "page.py", "    digits = 0", "    1 / 0\n    digits = 0")
    elif where == "layout":
        plugin_question.change(
            plugin, "page.py", "notes = {one.position: f", "notes = {one.position: 1 or f"
        )
    elif where == "effect":
        plugin_question.change(plugin, "question.py", "    one = max(", "    one = max(1 / 0, ")
    elif where == "no effect":
        plugin_question.change(plugin, "question.py", "return Headline(said, ", "return (said, ")
    else:
        fails = "    @classmethod\n    def fields_of(cls, *_):\n        return 1 / 0\n\n"
        unit = "    unit: str = asked("
        plugin_question.change(plugin, "question.py", unit, fails + unit)
    running = open_window(offline=True)
    hands = Hands(running.window)
    running.window.view_area.bring_forward(NAME)
    start = TEXT.index("meal")
    running.bench.state.edit("meal", Document(TEXT).with_mask(start, start + 4))
    hands.settle()
    frame = running.window.view_area.frames[NAME]
    if where == "of":
        assert frame.state is FrameState.EMPTY
        assert "The plugin Word lengths can't ask this." in frame.empty_page.sentence.text()
    else:
        wait_until(lambda: frame.state is FrameState.RESULT, "the page")
        running.window.grab()
    row = plugin_rows(running)["word-lengths/masking/expected_length"]
    assert row.problem.startswith("It does not work (")
    assert row.traceback
    running.window.view_area.bring_forward("masked_tokens")
    hands.settle()
    assert running.window.view_of("masked_tokens").result.masks


def test_what_computes_and_raises_is_the_plugins_fault(paths, main, plugin):
    plugin_question.change(plugin, "compute.py", "    import torch\n", "    raise KeyError('x')\n")
    done = main("ask", NAME, HIDDEN, "-m", "bert-miniature", code=1)
    assert "The plugin Word lengths failed (KeyError: 'x')." in done.err


def test_a_question_of_a_plugin_that_is_switched_off_is_refused_in_words(
    paths, plugin, open_window
):
    running = open_window(offline=True)
    hands = Hands(running.window)
    frame = show(running, hands)
    running.window.commands._disable(["word-lengths"])
    running.window.restart_wanted.emit()
    wait_until(lambda: frame.state is FrameState.UNAVAILABLE, "the refusal")
    assert frame.unavailable_page.sentence.text() == (
        "The engine doesn't know this question: the plugin Word lengths, which brings it, is "
        "switched off or does not work."
    )
    running.window.view_area.bring_forward("masked_tokens")
    hands.settle()
    assert running.window.view_of("masked_tokens").has_result


def test_in_the_conformance_kit(paths, main, plugin):
    done = main("check", plugin, "--json")
    findings = json.loads(done.out)["findings"]
    assert not [one for one in findings if one["outcome"] == "failed"]
    told = [one["check"] for one in findings]
    assert "question expected_length: imports without torch and Qt" in told
    assert "same seed, same answer" in told
    # Its answers are asked for with every awkward text, as those of the program's questions are.
    plugin_question.change(plugin, "compute.py", "    words = [", "    words = [] if 1 else [")
    done = main("check", plugin, "--json", code=1)
    failed = [one for one in json.loads(done.out)["findings"] if one["outcome"] == "failed"]
    assert failed[0]["check"] == "answers expected_length"
    assert failed[0]["message"].startswith("The plugin Word lengths failed (")
    plugin_question.change(plugin, "compute.py", "    words = [] if 1 else [", "    words = [")
    plugin_question.change(plugin, "question.py", "from data", "import torch\nfrom data")
    done = main("check", plugin, "--json", code=1)
    failed = [one for one in json.loads(done.out)["findings"] if one["outcome"] == "failed"]
    assert [one["check"] for one in failed] == [
        "question expected_length: imports without torch and Qt"
    ]
