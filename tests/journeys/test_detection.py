"""A pair is opened, a sentence corrupted and judged, in the program's window by a real engine."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from explorer.cli import main
from explorer.questions.detection.drawing import THRESHOLD
from explorer.questions.detection.many_draws.question import DRAWS
from explorer.questions.detection.replaced_tokens.options import SEED
from explorer.questions.detection.wording import told as told_outcomes
from explorer.questions.many.file_of_sentences.options import ASKED_QUESTION, FILE
from explorer.questions.many.file_of_sentences.panel import RowsPanel
from explorer.sessions.read.reader import SessionReader
from explorer.tour.hands import wait_until
from explorer.ui.sentence.tokens.editor import TokenEditor
from explorer.ui.session_log.table import ANSWER, TEXT
from explorer.ui.views.frame.view_frame import FrameState
from tests.journeys.acting import take
from tests.ui.pages import choose, spot, words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

LEFT = Qt.MouseButton.LeftButton
JUDGE, FILLER = "electra-miniature-discriminator", "electra-miniature-generator"


def told_of(counts):
    """What stays in sight of an answer."""
    return ", ".join(one.text for one in told_outcomes(counts))


def in_sight(view):
    """What does."""
    return " ".join(node.name for node in view.stays.page.nodes)


def words(view):
    return [token.text for token in view.result.tokens if not token.special]


def test_a_pair_is_opened_with_one_click_and_the_loop_runs(hands, paths, qtbot, capsys):
    bench = hands.window.bench
    view = take(hands, "A chef ate the meal: two words replaced")
    frame = bench.asking.askers["replaced_tokens"].frame
    assert frame.state is FrameState.UNAVAILABLE
    assert "DeBERTa v3 detect replaced tokens" in frame.unavailable_page.sentence.text()

    way = frame.unavailable_page.findChild(QPushButton, "way_0")
    assert way.text() == "Load ELECTRA miniature, discriminator, with its generator"
    way.click()
    wait_until(lambda: {c.stamp.id for c in bench.models.cards.values()} == {JUDGE, FILLER}, "both")
    hands.settle()
    assert frame.state is FrameState.RESULT
    assert words(view) == ["a", "chef", "ate", "the", "meal"]
    assert view.result.truth == (False, True, False, True, False, False, False)
    assert view.result.other.id == FILLER

    # Another draw is another seed, and leaves the words that were put in.
    view.bar.widgets[f"{SEED.key}.next"].click()
    hands.settle()
    seed = view.bar.fields[SEED.key].value()
    assert words(view) == ["a", "chef", "ate", "the", "meal"]
    assert [choice.drawn for choice in view.result.chosen] == [False, False]

    # Without them the generator draws, and the numbers are those of the command line.
    view.page.choose(spot(view, ("chip", "Discard my replacements")))
    hands.settle()
    assert view.bar.fields[SEED.key].value() == seed
    assert not any(not choice.drawn for choice in view.result.chosen)
    reader = SessionReader(paths.sessions)
    newest = reader.run(reader.runs()[0].id)
    assert newest.result == view.result
    assert newest.seed == seed == 1
    main(["--profile", str(paths.data / "other"), "detect", "the chef cooked the meal",
          "-g", FILLER, "--mask", "1,3", "--seed", "1", "--json"])  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    read = [token["text"] for token in told["tokens"]]
    assert read == [token.text for token in view.result.tokens]
    assert told["probability"] == pytest.approx(view.result.probability, abs=1e-6)

    # The threshold redraws what is there: nothing more is asked.
    runs = len(reader.runs())
    counts = view.result.counts_at(0.05)
    assert told_of(counts) != told_of(view.result.counts)
    view.bar.fields[THRESHOLD.key].field.setValue(0.05)
    hands.settle()
    assert in_sight(view) == told_of(counts)
    assert len(reader.runs()) == runs

    # Undo takes the threshold back, then what was drawn for the words, then the draw.
    for _ in range(3):
        bench.state.stack.undo()
    hands.settle()
    assert words(view) == ["a", "chef", "ate", "the", "meal"]
    assert view.bar.fields[SEED.key].value() == 0


def test_words_of_ones_own_without_a_generator(hands, qtbot):
    bench = hands.window.bench
    bench.actions.load_by_id(JUDGE, "A")
    wait_until(lambda: bench.models.cards["A"].stamp.id == JUDGE, "the discriminator")
    view = take(hands, "A word that does not belong")
    assert view.result.other is None
    assert words(view)[4] == "telescope"
    chances = sorted(view.result.probability[1:10])
    assert view.result.probability[5] in chances[-3:]
    place = spot(view, ("corrupted", 3)).box.center().toPoint()
    qtbot.mouseDClick(view.page, LEFT, pos=place)
    editor = view.page.findChild(TokenEditor)
    editor.setText("planted")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    hands.settle()
    assert words(view)[2:5] == ["planted", "the", "telescope"]
    assert sum(view.result.truth) == 2
    # Its own generator is loaded from the view.
    choose(view, ("chip", "Load its own generator"))
    wait_until(lambda: "B" in bench.models.cards, "the generator")
    assert bench.models.cards["B"].stamp.id == FILLER


def test_many_draws_and_shared_weights(hands):
    window, bench = hands.window, hands.window.bench
    bench.actions.load_pair(bench.checkpoints.find(JUDGE))
    wait_until(lambda: {c.stamp.id for c in bench.models.cards.values()} == {JUDGE, FILLER}, "both")
    hands.settle()
    window.view_area.bring_forward("many_draws")
    hands.settle()
    view = window.view_of("many_draws")
    wait_until(lambda: view.result is not None, "the draws")
    assert view.result.draws == 100
    assert view.result.counts_at(0.5).replaced > 0
    assert in_sight(view) == told_of(view.result.counts_at(0.5))
    window.view_area.bring_forward("compare_architectures")
    view = window.view_of("compare_architectures")
    view.bar.fields["compare_architectures.level"].chosen.emit("tensors")
    hands.settle()
    wait_until(lambda: view.result is not None, "the comparison")
    assert "are shared, as ELECTRA trains them" in words_on(view)


def test_the_sentences_of_a_file_are_judged_together(hands, tmp_path, qtbot):
    window, bench = hands.window, hands.window.bench
    file = tmp_path / "some.txt"
    lines = ("The chef cooked the meal.", "I liked the movie.", "The pilot flies the plane.")
    file.write_text("\n".join(lines), "utf-8")
    bench.actions.load_pair(bench.checkpoints.find(JUDGE))
    wait_until(lambda: {c.stamp.id for c in bench.models.cards.values()} == {JUDGE, FILLER}, "both")
    window.view_area.bring_forward("file_of_sentences")
    hands.settle()
    view = window.view_of("file_of_sentences")
    view.bar.take_file(FILE, str(file))
    hands.settle()
    bench.edits.set_option(ASKED_QUESTION.key, "many_draws")
    bench.edits.set_option(DRAWS.key, 5)
    hands.settle()
    assert (view.result.operation, view.result.done) == ("many_draws", 0)
    hands.run_if_asked("file_of_sentences")
    wait_until(lambda: view.result is not None and view.result.done == 3, "the rows")
    hands.settle()
    wait_until(lambda: "Intervals of 95 %" in words_on(view), "what they say together")
    cells = [cell.text for one in view.page.page.spots for cell in one.cells]
    assert any("hits (true positives)" in one for one in cells)
    # Nothing is left to be run, and the text of the window had no part in it.
    assert not [one for one in view.page.page.spots if one.key == "run"]
    # The log tells of the file, not of a sentence that was not asked about.
    log = window.log.model
    wait_until(lambda: "some.txt" in log.index(0, ANSWER).data(), "the run in the log")
    assert log.index(0, TEXT).data() == ""
    assert "some.txt" in view.caption()
    assert "3 rows" in view.caption()
    # A row of it is looked at in the other views.
    panel = view.page.findChild(RowsPanel)
    wait_until(lambda: panel.model.rowCount() == 3 and panel.ordering.is_idle, "the table")
    panel.take(1)
    hands.settle()
    assert bench.state.document.text == panel.sentence(1)[0]
