"""Gestures in an answer that came before the text was changed; and one gesture is one undo step."""

import dataclasses

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QTextCursor

from explorer.api.family import LoadOptions
from explorer.api.question import ModelStamp
from explorer.document import Document
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.attention.disentangled_attention.question import (
    DisentangledAttentionRequest,
)
from explorer.questions.attention.head_ablation.question import HeadAblationRequest
from explorer.questions.detection.replaced_tokens.question import ChosenToken, ReplacedTokensRequest
from explorer.questions.many.file_of_sentences.options import FILE
from explorer.questions.many.file_of_sentences.panel import RowsPanel
from explorer.questions.many.file_of_sentences.question import (
    FileOfSentencesRequest,
    FileOfSentencesResult,
)
from explorer.samples.samples import first_sample
from explorer.sessions.read.reader import SessionReader
from explorer.ui.sentence.tokens.editor import TokenEditor
from explorer.ui.views.frame.view_frame import FrameState
from tests.questions.attention import answers as heads
from tests.questions.detection.answers import CHEF, make
from tests.ui.fake_engine import CACHED
from tests.ui.late_answers import teach
from tests.ui.pages import spot

LEFT = Qt.MouseButton.LeftButton
TEXT = first_sample().text
WORD = ("word", "made")
"""The one at the first mask."""
PUT = {
    "masked_tokens": None,
    "surprisal": ("put", 3),
    "soft_targets": WORD,
    "candidate_words": ("word", 0, "made"),
    "joint_decoding": ("filling", 0),
}
"""What is clicked to put "made" in place of "cooked": a spot of the page, or the card's bar."""


@pytest.fixture
def running(engine, start, qtbot):
    teach(engine)
    made = start()
    models = made.bench.models
    models.load("B", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: "B" in models.cards and made.bench.asking.is_idle)
    return made


def shown(running, question, qtbot):
    """A view with its answer to what the window asks at first."""
    running.bench.edits.set_option("candidate_words.words", "made")
    running.window.view_area.bring_forward(question)
    qtbot.waitUntil(
        lambda: (
            running.bench.asking.is_idle
            and running.bench.asking.askers[question].frame.state is FrameState.RESULT
        )
    )
    return running.window.view_of(question)


def click_made(view, qtbot):
    key = PUT[view.question]
    if key is None:
        key = prediction_key(view, 0, 1)
    if key == WORD:
        key = ("word", view.result.masks[0].position, "made")
    click(view.page, key, qtbot)


def prediction_key(view, mask, number):
    found = view.result.masks[mask]
    return ("prediction", found.position, found.predictions[number].id)


def click(page, key, qtbot):
    box = next(spot.box for spot in page.page.spots if spot.key == key)
    qtbot.mouseClick(page, LEFT, pos=box.center().toPoint())


def type_in(running, qtbot, words, *, at=0, over=0):
    """Type at a place, over some characters behind it."""
    editor = running.window.sentence.editors[0]
    cursor = editor.textCursor()
    cursor.setPosition(at)
    cursor.setPosition(at + over, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    qtbot.keyClicks(editor, words)


@pytest.mark.parametrize("question", PUT)
def test_a_word_goes_to_its_place_in_the_text_of_now(running, engine, qtbot, question):
    view = shown(running, question, qtbot)
    engine.held.add("view:")
    type_in(running, qtbot, "Yesterday evening ")
    click_made(view, qtbot)
    state = running.bench.state
    assert state.document.text == f"Yesterday evening {TEXT.replace('cooked', 'made')}"
    assert state.document.masks == ()
    state.stack.undo()
    assert state.document.text == f"Yesterday evening {TEXT}"


@pytest.mark.parametrize("question", PUT)
def test_a_word_whose_place_is_gone_changes_nothing_and_says_so(running, engine, qtbot, question):
    at = TEXT.index("kitchen")
    running.bench.edits.mask(at, at + 7, 0)  # a view without any mask is empty
    view = shown(running, question, qtbot)
    engine.held.add("view:")
    type_in(running, qtbot, "dog cooks the", at=4, over=15)
    before, steps = running.bench.state.document, running.bench.state.stack.count()
    assert before.text == "the dog cooks the meal in the kitchen."
    click_made(view, qtbot)
    assert running.bench.state.document == before
    assert running.bench.state.stack.count() == steps
    notices = running.window.notices
    assert notices.keys == ("refused_edit",)
    assert "The text has changed there" in notices.texts[0]
    type_in(running, qtbot, "Now ")
    assert notices.keys == ()


def test_a_word_chosen_after_another_takes_its_place(running, engine, qtbot):
    running.bench.edits.toggle_mask(4, 8, 0)
    view = shown(running, "masked_tokens", qtbot)
    qtbot.waitUntil(lambda: len(view.result.masks) == 2)
    engine.held.add("view:")
    for number in (2, 1, 1):  # ate, then made, and made once more by a double click
        click(view.page, prediction_key(view, 1, number), qtbot)
    assert running.bench.state.document.text == TEXT.replace("cooked", "made")
    assert running.bench.state.stack.undoText() == "put 'made'"


def test_tokens_that_come_late_are_clicked_where_they_were(running, engine, qtbot):
    strip = running.window.sentence.strip
    engine.held.add("tokens")
    type_in(running, qtbot, "Now ")
    index = next(i for i, p in enumerate(strip.pieces) if p.text == "chef")
    qtbot.mouseClick(strip, LEFT, pos=strip.box_of(index).center().toPoint())
    document = running.bench.state.document
    assert [document.text[m.start : m.end] for m in document.masks] == ["chef", "cooked"]
    type_in(running, qtbot, "a cook", at=4, over=15)
    masks = running.bench.state.document.masks
    qtbot.mouseClick(strip, LEFT, pos=strip.box_of(index).center().toPoint())
    assert running.bench.state.document.masks == masks
    assert "refused_edit" in running.window.notices.keys


# ---- one gesture, one step ----------------------------------------------------------------------


def one_step(running, gesture):
    """Do it, take it back by one step, do it again; the document in between."""
    state = running.bench.state
    before = state.document
    gesture()
    after = state.document
    assert after != before
    state.stack.undo()
    assert state.document == before
    state.stack.redo()
    assert state.document == after
    return after


def test_a_filling_of_several_masks_is_one_step(running, engine, qtbot):
    running.bench.edits.toggle_mask(4, 8, 0)
    view = shown(running, "joint_decoding", qtbot)
    qtbot.waitUntil(lambda: len(view.result.order) == 2)
    engine.held.add("view:")
    type_in(running, qtbot, "Now ")
    after = one_step(running, lambda: click(view.page, ("filling", 0), qtbot))
    assert after.text == f"Now {TEXT.replace('chef', 'made').replace('cooked', 'made')}"


def test_masks_put_in_order_before_an_answer_comes_are_a_step_each(running, engine, qtbot):
    running.bench.edits.toggle_mask(4, 8, 0)
    running.bench.edits.toggle_mask(20, 24, 0)
    view = shown(running, "joint_decoding", qtbot)
    qtbot.waitUntil(lambda: len(view.result.order) == 3)
    engine.held.add("view:")
    last, _, first = reversed(view.result.positions)
    after = one_step(running, lambda: click(view.page, ("mask", last), qtbot))
    assert after.option("joint_decoding.method") == "by_hand"
    assert after.option("joint_decoding.order") == [2]
    after = one_step(running, lambda: click(view.page, ("mask", first), qtbot))
    assert after.option("joint_decoding.order") == [2, 0]


def test_the_first_half_of_a_double_click_leaves_no_run(running, qtbot):
    strip, asker = running.window.sentence.strip, running.bench.asking.askers["masked_tokens"]
    asker.half_typed.brief = 1e9
    log = SessionReader(running.bench.folders.sessions)
    before = [run.id for run in log.runs()]
    index = next(i for i, p in enumerate(strip.pieces) if p.text == "chef")
    place = strip.box_of(index).center().toPoint()
    qtbot.mouseClick(strip, LEFT, pos=place)
    qtbot.waitUntil(lambda: len(log.runs()) == len(before) + 1)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    qtbot.mouseDClick(strip, LEFT, pos=place)
    qtbot.waitUntil(lambda: [run.id for run in log.runs()] == before)
    qtbot.keyClick(strip.findChild(TokenEditor), Qt.Key.Key_Escape)
    # Meant, it is asked and kept like any other.
    qtbot.mouseClick(strip, LEFT, pos=place)
    qtbot.waitUntil(lambda: len(log.runs()) == len(before) + 1)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert asker.view.document.is_masked(4, 8)


def test_a_double_click_that_replaces_a_word_is_one_step(running, qtbot):
    strip, state = running.window.sentence.strip, running.bench.state
    before, steps = state.document, state.stack.count()
    index = next(i for i, p in enumerate(strip.pieces) if p.text == "chef")
    place = strip.box_of(index).center().toPoint()
    qtbot.mouseClick(strip, LEFT, pos=place)
    assert state.document.is_masked(4, 8)
    qtbot.mouseDClick(strip, LEFT, pos=place)
    assert state.document == before
    editor = strip.findChild(TokenEditor)
    editor.setText("cook")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert state.document.text == TEXT.replace("chef", "cook")
    assert state.stack.count() == steps + 1
    state.stack.undo()
    assert state.document == before
    state.stack.redo()
    # So is one in a mask over several words, which is whole again.
    running.bench.edits.mask(16, 24, 0)
    whole = state.document
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    index = next(i for i, p in enumerate(strip.pieces) if p.text == "meal")
    place = strip.box_of(index).center().toPoint()
    qtbot.mouseClick(strip, LEFT, pos=place)
    assert not state.document.is_masked(20, 24)
    qtbot.mouseDClick(strip, LEFT, pos=place)
    assert state.document == whole
    running.bench.edits.clear_masks()
    # A mask that was set long ago is taken away by a step, and no other step is undone.
    running.bench.edits.toggle_mask(20, 24, 0)
    running.bench.edits.mask(0, 3, 0)
    running.bench.edits.take_back_mask(20, 24, 0)
    assert state.stack.undoText() == "unmask 'meal'"
    assert state.document.is_masked(0, 3)


def able(engine, *questions):
    """Let the first model answer them too."""
    first = engine.catalogue[0]
    offered = dataclasses.replace(first, operations=(*questions, *first.operations))
    engine.catalogue = (offered, *engine.catalogue[1:])


def test_heads_switched_off_before_an_answer_comes_stay_off(engine, start, qtbot):
    able(engine, "head_ablation")
    engine.answers[HeadAblationRequest] = lambda request, _card: heads.switch_off_result(
        [(one.kind, one.layer, one.head) for one in request.heads]
    )
    running = start()
    view = shown(running, "head_ablation", qtbot)
    engine.held.add("view:")
    for key in (("encoder", "head", 1, 3), ("encoder", "head", 0, 2)):
        after = one_step(running, lambda key=key: click(view.page, key, qtbot))
    assert after.option("head_ablation.heads") == [["encoder", 0, 2], ["encoder", 1, 3]]


def test_a_head_of_another_step_is_chosen_in_one_step(engine, start, qtbot):
    able(engine, "disentangled_attention")
    engine.answers[DisentangledAttentionRequest] = lambda _request, _card: (
        heads.disentangle_result()
    )
    running = start()
    running.bench.edits.set_option("disentangled_attention.step", 1)
    view = shown(running, "disentangled_attention", qtbot)
    after = one_step(running, lambda: click(view.page, ("c2p", "head", 0, 3), qtbot))
    assert after.option("disentangled_attention.step") is None
    assert after.option("disentangled_attention.layer") == 0
    assert after.option("disentangled_attention.head") == 3


def test_what_is_done_to_a_judged_token_goes_to_its_place(engine, start, qtbot):
    able(engine, "replaced_tokens")
    judged = make(None, (ChosenToken(3, drawn=False), ChosenToken(5, drawn=False)))
    engine.answers[ReplacedTokensRequest] = lambda _request, _card: judged
    running = start()
    running.bench.state.edit("text", Document(CHEF))
    view = shown(running, "replaced_tokens", qtbot)
    engine.held.add("view:")
    type_in(running, qtbot, "Now ")
    place = spot(view, ("corrupted", 2)).box.center().toPoint()
    qtbot.mouseDClick(view.page, LEFT, pos=place)
    editor = view.page.findChild(TokenEditor)
    editor.setText("telescope")
    after = one_step(running, lambda: qtbot.keyClick(editor, Qt.Key.Key_Return))
    (word,) = after.option("replaced_tokens.corruption")["words"]
    assert (word["start"], word["end"], word["was"]) == (8, 12, "chef")


def test_two_runs_are_compared_in_one_step(running, qtbot):
    log = running.window.log
    view = running.window.view_of("masked_tokens")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: log.model.rowCount() == 2 and len(view.result.masks) == 2)
    start = running.bench.state.document
    running.bench.edits.clear_masks()
    bare, steps = running.bench.state.document, running.bench.state.stack.count()
    rows = log.table.selectionModel()
    whole = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in range(2):
        rows.select(log.model.index(row, 0), whole)
    actions = {a.text(): a for a in log.menu_of(log.model.run_at(0)).actions()}
    actions["Compare the two chosen"].trigger()
    qtbot.waitUntil(lambda: view.baseline is not None)
    assert view.baseline.document.masks == first_sample().document().masks
    assert view.baseline.origin.created_at == log.model.run_at(1).created_at
    assert running.bench.state.document == start
    assert running.bench.state.stack.count() == steps + 1
    running.bench.state.stack.undo()
    assert running.bench.state.document == bare


# ---- a file of sentences ------------------------------------------------------------------------

ROWS = (
    ("The first sentence of the file is rather long.", "Its second text."),
    ("Second.", "And the second text of the second."),
)


@pytest.fixture
def rows_of_a_file(engine, start, tmp_path, qtbot):
    """The window with a file of two sentences, all of them asked about."""
    asked = ResultsKey("d", "", "surprisal", "{}", ("f",))
    path = asked.place(tmp_path)
    with ResultsWriter(path, asked) as writer:
        writer.append(
            [
                SentenceOutcome(FileSentence(number, text, pair), {"score": number / 8})
                for number, (text, pair) in enumerate(ROWS, start=1)
            ]
        )
    able(engine, "file_of_sentences", "surprisal")
    engine.answers[FileOfSentencesRequest] = lambda request, _card: FileOfSentencesResult(
        model=ModelStamp("m", "bert", "0" * 32, "cpu", "float32"),
        source="some.csv",
        operation="surprisal",
        count=2,
        left_out=0,
        done=2,
        failed=0,
        results=str(path),
        columns=(),
        spreads=(),
        first=(FileSentence(1, *ROWS[0]),),
        pair_column="second",
    )
    running = start()
    running.window.view_area.bring_forward("file_of_sentences")
    view = running.window.view_of("file_of_sentences")
    one_step(running, lambda: view.bar.take_file(FILE, str(tmp_path / "some.csv")))
    panels = view.page.findChildren
    qtbot.waitUntil(lambda: bool(panels(RowsPanel)) and running.bench.asking.is_idle)
    (panel,) = panels(RowsPanel)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2)
    return running, panel


def test_rows_are_taken_one_after_another_with_their_second_texts(rows_of_a_file, qtbot):
    running, view = rows_of_a_file
    table = view.table_view
    texts = [view.sentence(row) for row in range(2)]
    assert sorted(texts) == sorted(ROWS)
    for row in range(2):
        place = table.visualRect(view.model.index(row, 0)).center()
        qtbot.mouseClick(table.viewport(), LEFT, pos=place)
        after = one_step(
            running, lambda place=place: qtbot.mouseDClick(table.viewport(), LEFT, pos=place)
        )
        assert (after.text, after.pair) == texts[row]
        assert after.masks == ()
