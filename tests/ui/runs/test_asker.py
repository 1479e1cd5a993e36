"""What views may ask for beyond one model and one answer: options, pairs, patience, pins."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Asks, Headline, ModelStamp, Question, Table
from explorer.document import Document
from explorer.engine.messages import PartialResult
from explorer.ui.views.frame.pin_bar import PinBar
from explorer.ui.views.frame.view_frame import FrameState, ViewFrame
from explorer.ui.views.view import View
from tests.ui.fake_engine import CACHED


@dataclass(frozen=True)
class Compare(Asks, question="compare"):
    text: str
    width: int = 1
    seed: int = 7


@dataclass(frozen=True)
class Compared:
    model: ModelStamp | None
    words: str


QUESTION = Question(
    "compare",
    "Compare",
    "How do they differ?",
    Compare,
    Compared,
    lambda _model, request, _context: Compared(None, request.text),
    lambda result: Table(("words",), ((result.words,),)),
    headline=lambda _result: Headline(""),
    roles={"first": (), "second": ()},
)
OF_ONE = replace(QUESTION, roles={"model": ()})


class CompareView(View):
    of: ClassVar = QUESTION
    dear = False

    def request_of(self, document):
        return Compare(document.text, document.option("compare.width", 1))

    def empty_hint(self, _document):
        return "Press Run."

    def on_demand(self, _document):
        return self.dear

    def refresh(self):
        self.refreshed = getattr(self, "refreshed", 0) + 1


@pytest.fixture
def asker(running, engine, monkeypatch):
    engine.answers[Compare] = lambda request, card: Compared(
        card.stamp, f"{request.text} {request.width}"
    )
    view = CompareView()
    frame = ViewFrame.of(view)
    made = running.bench.asking.add(view, frame)
    monkeypatch.setattr("explorer.ui.runs.asker.why_not", lambda _of, _card: "")
    yield made
    del running.bench.asking.askers["compare"]
    frame.deleteLater()


def test_a_view_of_two_models_says_how_to_load_the_second_and_then_asks_both(
    running, asker, engine, qtbot
):
    asker.set_visible(True)
    assert asker.frame.state is FrameState.EMPTY
    assert "second one as B" in asker.frame.empty_page.sentence.text()
    running.bench.models.load("B", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    (request,) = engine.requests(Compare)
    assert request.text == running.bench.state.document.text
    question = asker._settled
    cards = running.bench.models.cards
    assert question.models == (("first", cards["A"].stamp), ("second", cards["B"].stamp))


def test_a_dear_question_waits_for_the_button(running, asker, engine, qtbot):
    asker.of, asker.view.dear = OF_ONE, True
    asker.set_visible(True)
    assert asker.frame.state is FrameState.EMPTY
    assert not asker.frame.empty_page.button.isHidden()
    assert not engine.requests(Compare)
    asker.frame.empty_page.button.click()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    running.bench.edits.set_option("compare.width", 3)
    assert asker.frame.state is FrameState.STALE
    assert len(engine.requests(Compare)) == 1
    asker.frame.bar.again.click()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    assert engine.requests(Compare)[-1].width == 3


def test_a_slider_that_moves_is_one_step_and_is_asked_once(running, asker, engine, qtbot):
    asker.of = OF_ONE
    asker.set_visible(True)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    steps = running.bench.state.stack.count()
    for width in range(2, 9):
        running.bench.edits.set_option("compare.width", width, merge=True)
    assert running.bench.state.stack.count() == steps + 1
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT and asker.is_idle)
    assert [r.width for r in engine.requests(Compare)] == [1, 8]
    running.bench.state.stack.undo()
    assert running.bench.state.document.option("compare.width", 1) == 1


def test_what_only_says_not_yet_is_asked_for_again(running, engine, qtbot, monkeypatch):
    there = []
    engine.answers[Compare] = lambda request, card: Compared(
        card.stamp, request.text if there else "not yet"
    )

    class Later(CompareView):
        of: ClassVar = replace(OF_ONE, is_provisional=lambda result: result.words == "not yet")

    view = Later()
    frame = ViewFrame.of(view)
    made = running.bench.asking.add(view, frame)
    monkeypatch.setattr("explorer.ui.runs.asker.why_not", lambda _of, _card: "")
    made.set_visible(True)
    running.bench.edits.type_text("one", 0)
    qtbot.waitUntil(lambda: view.has_result and view.result.words == "not yet")
    there.append("now")
    running.bench.edits.type_text("two", 0)
    qtbot.waitUntil(lambda: view.result.words == "two")
    asked = len(engine.requests(Compare))
    running.bench.edits.type_text("one", 0)
    qtbot.waitUntil(lambda: view.result.words == "one")
    running.bench.edits.type_text("two", 0)
    qtbot.waitUntil(lambda: view.result.words == "two")
    assert len(engine.requests(Compare)) == asked + 1, "what stays true is kept"
    del running.bench.asking.askers["compare"]
    frame.deleteLater()


def test_the_request_s_seed_is_in_the_log_and_in_the_caption(running, asker, qtbot, monkeypatch):
    runs = []
    asker.of = OF_ONE
    record = running.bench.recording.record
    monkeypatch.setattr(
        running.bench.recording, "record", lambda run, then: (runs.append(run), record(run, then))
    )
    asker.set_visible(True)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    assert [run.seed for run in runs if run.operation == "compare"] == [7]
    assert asker.view.origin.seed == 7


def test_an_answer_is_pinned_by_a_button_and_let_go_by_another(running, asker, qtbot):
    asker.of = OF_ONE
    frame, view = asker.frame, asker.view
    assert not frame.pin_button.isEnabled()
    asker.set_visible(True)
    qtbot.waitUntil(lambda: frame.state is FrameState.RESULT)
    first = view.result
    frame.pin_button.click()
    assert view.baseline.result is first
    running.bench.edits.set_option("compare.width", 5)
    qtbot.waitUntil(lambda: view.result is not first)
    assert view.baseline.result is first
    bar = frame.findChild(PinBar)
    assert first.model.id in bar.label.text()
    bar.button.click()
    assert view.baseline is None
    assert bar.isHidden()


def test_options_are_json_sorted_and_default_when_unreadable():
    document = Document().with_option("b.two", [1, "x"]).with_option("a.one", 0.5)
    assert document.options == (("a.one", "0.5"), ("b.two", '[1, "x"]'))
    assert document.option("b.two") == [1, "x"]
    assert document.with_option("b.two", None).options == (("a.one", "0.5"),)
    assert Document(options=(("a.one", "{"),)).option("a.one", 3) == 3


LANE = "view:compare"


def part_of(asker, words):
    """What there is of an answer so far."""
    return Compared(asker._models.cards["A"].stamp, words)


def test_what_there_is_of_an_answer_is_shown_while_it_is_on_its_way(
    running, asker, engine, qtbot, monkeypatch
):
    runs = []
    record = running.bench.recording.record
    monkeypatch.setattr(
        running.bench.recording, "record", lambda run, then: (runs.append(run), record(run, then))
    )
    asker.of = OF_ONE
    engine.held.add(LANE)
    asker.set_visible(True)
    qtbot.waitUntil(lambda: LANE in engine.waiting)
    engine.part(LANE, part_of(asker, "half"))
    qtbot.waitUntil(lambda: asker.view.result is not None)
    frame = asker.frame
    assert asker.view.result.words == "half"
    assert frame.state is FrameState.WORKING
    assert frame.pages.currentWidget() is frame.content
    assert frame.content.veil.isHidden()
    assert not frame.bar.cancel.isHidden()
    # It is no answer yet: it can't be exported, and is not on record.
    assert not frame.export_button.isEnabled()
    assert not frame.pin_button.isEnabled()
    engine.part(LANE, part_of(asker, "more"))
    qtbot.waitUntil(lambda: asker.view.result.words == "more")
    assert not [run for run in runs if run.operation == "compare"]
    engine.release(LANE)
    qtbot.waitUntil(lambda: frame.state is FrameState.RESULT)
    assert asker.view.result.words.endswith(" 1")
    assert len([run for run in runs if run.operation == "compare"]) == 1


def test_a_cancel_leaves_what_there_is(asker, engine, qtbot):
    asker.of = OF_ONE
    engine.held.add(LANE)
    asker.set_visible(True)
    qtbot.waitUntil(lambda: LANE in engine.waiting)
    engine.part(LANE, part_of(asker, "half"))
    qtbot.waitUntil(lambda: asker.view.result is not None)
    asker.frame.bar.cancel.click()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.STALE)
    assert "What had been found by then is shown" in asker.frame.bar.label.text()
    assert asker.view.result.words == "half"


def test_a_part_of_what_is_not_asked_any_more_is_not_shown(running, asker, engine, qtbot):
    asker.of = OF_ONE
    engine.held.add(LANE)
    asker.set_visible(True)
    qtbot.waitUntil(lambda: LANE in engine.waiting)
    late = engine.waiting[LANE]
    running.bench.edits.set_option("compare.width", 3)
    qtbot.waitUntil(lambda: engine.waiting.get(LANE) not in (None, late))
    engine._tell(PartialResult(LANE, late.number, part_of(asker, "late")))
    engine.release(LANE)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    assert asker.view.result.words.endswith(" 3")
