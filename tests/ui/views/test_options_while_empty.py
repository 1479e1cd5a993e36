"""Where an option is what is missing, or what is wrong, it is within reach without an answer."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from explorer.api.family.checkpoint import Source
from explorer.api.question import Blame, Failure
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths
from explorer.questions import all_questions
from explorer.questions.pairs.answer_span.question import AnswerSpanRequest
from explorer.ui.document.edits import Edits
from explorer.ui.document.examples import ExampleFinder
from explorer.ui.document.state import DocumentState
from explorer.ui.views.frame.view_frame import FrameState

PATHS = Paths.standard()
BUNDLED = [
    one
    for one in Catalogue(
        PluginHost(PATHS.bundled_plugins, entry_points=False),
        PATHS.bundled_models,
        Path(__file__).with_name("no cache"),
    ).list()
    if one.source is Source.BUNDLED
]
PASSAGE = Document("The chef cooked a meal.")


@pytest.fixture
def open_page(engine, start, qtbot):
    """A page, with a model that answers it loaded, and a document on the screen."""
    engine.catalogue = tuple(BUNDLED)

    def open_it(name, model, document):
        running = start()
        bench = running.bench
        if bench.models.cards["A"].stamp.id != model:
            bench.actions.load(bench.checkpoints.find(model), "A")
            qtbot.waitUntil(lambda: bench.models.cards.keys() == {"A"} and not bench.models.loading)
        bench.state.edit("x", document)
        running.window.view_area.bring_forward(name)
        running.window.activateWindow()
        asker = bench.asking.askers[name]
        qtbot.waitUntil(lambda: asker.is_visible and asker.is_idle)
        return running, asker

    return open_it


def test_a_question_can_be_typed_before_there_is_an_answer(open_page, engine, qtbot):
    engine.held.add("view:answer_span")
    _running, asker = open_page("answer_span", "bert-answers-miniature", PASSAGE)
    assert asker.frame.state is FrameState.EMPTY
    field = asker.view.bar.fields["answer_span.question"]
    assert field.isVisible()
    assert "into the bar above" in asker.frame.empty_page.sentence.text()
    assert asker.frame.empty_page.sentence.isVisible()
    field.setFocus()
    qtbot.keyClicks(field, "Who cooked?")
    # What says that it works stands below the field, which has the keyboard all the while.
    qtbot.waitUntil(asker.frame.working_page.sentence.isVisible)
    assert not asker.frame.empty_page.isVisible()
    assert QApplication.focusWidget() is field
    qtbot.waitUntil(lambda: bool(engine.requests(AnswerSpanRequest)))
    assert engine.requests(AnswerSpanRequest)[-1].question == "Who cooked?"


def test_an_option_that_was_set_wrongly_can_be_set_anew(open_page, engine, qtbot):
    engine.failures["view:answer_span"] = Failure(Blame.USER, "The window is too narrow.")
    document = PASSAGE.with_option("answer_span.question", "Who cooked?")
    _running, asker = open_page("answer_span", "bert-answers-miniature", document)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED)
    assert asker.frame.failed_page.sentence.isVisible()
    asker.view.options.button.click()
    assert asker.view.bar.fields["answer_span.max_seq_len"].isVisible()


def test_without_a_model_there_is_nothing_to_set(open_page, qtbot):
    running, asker = open_page("answer_span", "bert-answers-miniature", PASSAGE)
    running.bench.models.unload("A")
    qtbot.waitUntil(lambda: "Load a model" in asker.frame.empty_page.sentence.text())
    assert asker.frame.empty_page.sentence.isVisible()
    assert not asker.view.bar.fields["answer_span.question"].isVisible()


@pytest.mark.parametrize("name", ["attribution", "task_layout", "continuation", "head_ablation"])
def test_every_page_with_a_row_of_options_shows_it(open_page, name):
    _running, asker = open_page(name, "bert-miniature", Document())
    assert asker.frame.state is FrameState.EMPTY
    if asker.view.options.button is not None:
        asker.view.options.button.click()
    every = asker.view.bar
    offered = [one for one in (*every.row, *every.others) if not every.widgets[one].isHidden()]
    assert offered
    assert all(every.fields[one].isVisible() for one in offered)


@pytest.mark.parametrize(
    ("name", "model"),
    [("answer_span", "bert-answers-miniature"), ("masked_tokens", "bert-miniature")],
)
def test_an_empty_page_has_an_example(open_page, qtbot, name, model):
    running, asker = open_page(name, model, Document("hello"))
    (way,) = (
        one
        for one in asker.frame.findChildren(QPushButton)
        if one.isVisible() and one.text() == "Try an example"
    )
    way.click()
    assert asker.frame.state is not FrameState.EMPTY
    assert not all_questions()[name].hint(running.bench.state.document)
    running.bench.state.stack.undo()
    assert running.bench.state.document.text == "hello"


def test_every_question_that_needs_an_input_has_an_example():
    """But those of a file, which is the user's own."""
    for name, question in all_questions().items():
        state = DocumentState(Document())
        if question.hint(state.document) and name != "file_of_sentences":
            ((words, take),) = ExampleFinder(Edits(state), dict).ways(question)
            assert words == "Try an example"
            take()
            assert not question.hint(state.document), name


def test_the_example_is_the_one_for_the_model_that_is_loaded(open_page):
    running, asker = open_page("task_layout", "t5-tasks-miniature", Document())
    asker.frame.empty_page.findChild(QPushButton, "way_0").click()
    assert running.bench.state.document.option("task_layout.task") == "cola"
