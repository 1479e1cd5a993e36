"""Every question in the real window, with its recorded answer, in every situation a page gets into.

The answers are those that tests/stored_runs keeps of every question, so that a page which is added
is tried in all of this without a line here.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from explorer.api.question import Choice, Number, Option, Switch, Whole
from explorer.questions.attention.attention.question import AttentionRequest, AttentionResult
from explorer.serialise import to_json
from explorer.ui.document.gestures import Edit
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.theme.schemes import apply_theme, current_theme, theme_of
from explorer.ui.views.frame.view_frame import FrameState
from explorer.ui.views.page_view import PageView
from tests.stored_runs.recorded import RECORDED, put_all
from tests.ui.conftest import HARMLESS
from tests.ui.fake_engine import CACHED, MINIATURE, FakeEngine

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
WIDTH = 900.0

NO_GPU = "RHI|QRhi|Vulkan|Sandboxing|GBM|GPUInfo"
quiet = pytest.mark.qt_log_ignore(HARMLESS, NO_GPU, extend=True)
"""The second is what bertviz' browser says of a machine without a GPU."""

WORDS = {
    "candidate_words": {"candidate_words.words": "soup, tea"},
    "file_of_sentences": {"file_of_sentences.path": str(Path(__file__))},
}
"""Options that a question is not asked without; a recorded request came from the command line."""


def heads_of(request: AttentionRequest) -> AttentionResult:
    """The recorded overview, or heads of it in full: its cells are single weights."""
    recorded = RECORDED["attention"].result
    if not request.heads:
        return recorded
    assert recorded.block == (1, 1)
    weights = recorded.overview.astype(np.float32)

    def one(name: str) -> np.ndarray:
        layer, _, head = name.partition(".")
        return weights[int(layer), int(head)] if head.isdigit() else weights.mean((0, 1))

    full = np.stack([one(name) for name in request.heads])
    none = np.empty((0, 0, 0, 0), np.float16)
    return replace(recorded, chosen=request.heads, weights=full, overview=none)


@dataclass(frozen=True)
class Open:
    """A window that shows a question's answer."""

    name: str
    running: Any
    asker: Any
    engine: Any
    qtbot: Any
    qapp: Any


@pytest.fixture(scope="module")
def open_on_all(start_once):
    """One window whose two models answer every question as it was recorded, and its engine."""
    engine = FakeEngine()
    offered = tuple(run.summary.operation for run in RECORDED.values())
    engine.catalogue = tuple(
        replace(one, operations=offered) if one.id in (MINIATURE.id, CACHED.id) else one
        for one in engine.catalogue
    )
    for run in RECORDED.values():
        engine.answers[type(run.request)] = lambda _request, _card, run=run: run.result
    engine.answers[AttentionRequest] = lambda request, _card: heads_of(request)
    running = start_once(engine)
    bench = running.bench
    bench.actions.load(bench.checkpoints.find(CACHED.id), "B")
    return running, engine


@pytest.fixture
def ask(open_on_all, qtbot, qapp):
    """Shows a question that both models answer as it was recorded, and nothing pinned."""
    running, engine = open_on_all
    bench = running.bench
    qtbot.waitUntil(lambda: "B" in bench.models.cards and not bench.models.loading)

    def show(name: str) -> Open:
        recorded = RECORDED[name]
        engine.answers[type(recorded.request)] = lambda _request, _card: recorded.result
        engine.answers[AttentionRequest] = lambda request, _card: heads_of(request)
        document = recorded.document
        for key, value in WORDS.get(name, {}).items():
            document = document.with_option(key, value)
        # As in a window that begins: a full stack forgets its first step with each further one.
        bench.state.stack.clear()
        bench.state.edit("text", document)
        running.window.view_area.bring_forward(recorded.summary.operation)
        asker = bench.asking.askers[recorded.summary.operation]
        qtbot.waitUntil(lambda: bench.asking.is_idle)
        if asker.frame.state is FrameState.EMPTY and asker.frame.empty_page.button.isVisible():
            QTest.mouseClick(asker.frame.empty_page.button, LEFT)
        qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT and bench.asking.is_idle)
        return Open(name, running, asker, engine, qtbot, qapp)

    yield show
    engine.held.clear()
    bench.asking.cancel()
    qtbot.waitUntil(lambda: bench.asking.is_idle)


def painted(view: Any, scheme: Any = None) -> np.ndarray:
    """The picture a view exports, as pixels."""
    figure = view.figure(WIDTH, theme_of(scheme) if scheme else current_theme())
    assert figure is not None
    image = QImage(round(figure.width), round(figure.height), QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    figure.paint(painter)
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8)
    return rows.reshape(image.height(), image.bytesPerLine())[:, : image.width() * 4].copy()


@pytest.fixture
def bring_back(start, paths, qtbot):
    """Opens one window on the stored log, without any of its models; brings runs back in it."""
    put_all(paths.sessions)
    running = start()

    def brought(name: str) -> tuple[Any, Any]:
        run_id = RECORDED[name].summary.id
        running.window.commands.restore_run(run_id)
        qtbot.waitUntil(lambda: running.bench.state.run_id == run_id)
        asker = running.bench.asking.askers[RECORDED[name].summary.operation]
        qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
        return running, asker

    return brought


def others_of(option: Option[Any]) -> list[Any]:
    """Other values that an option may have."""
    if isinstance(option, Switch):
        return [True, False]
    if isinstance(option, Choice):
        return [entry.value for entry in option.entries]
    if isinstance(option, Whole | Number):
        return [option.low, option.high]
    return []


def gestures_of(view: PageView) -> list[Edit]:
    """Edits that clicks on the page make: of those with the same verb the first and the last."""
    verbs: dict[str, list[Edit]] = {}
    for spot in view.page.page.spots:
        if isinstance(spot.act, Edit):
            verbs.setdefault(spot.act.name.split()[0], []).append(spot.act)
    ends = [edit for edits in verbs.values() for edit in (edits[0], edits[-1])]
    return list({edit.name: edit for edit in ends}.values())


@quiet
def test_a_run_whose_model_is_gone_comes_back_as_it_was(bring_back, engine, subtests):
    for name, recorded in sorted(RECORDED.items()):
        with subtests.test(name):
            running, asker = bring_back(name)
            assert running.bench.state.document.text == recorded.document.text
            assert to_json(asker.view.result) == to_json(recorded.result)
            assert asker.view.figure(WIDTH, current_theme()) is not None
            asked = [call for call in engine.calls if call.lane == asker.lane]
            assert [
                call.request.request for call in asked if call.request.request == recorded.request
            ] == []


def an_answer_on_the_sheet_is_the_one_on_the_screen(it: Open) -> None:
    entry = SheetEntry.of(it.asker.view)
    assert entry is not None
    assert np.array_equal(painted(entry), painted(it.asker.view))
    assert entry.caption() == it.asker.view.caption()


def another_scheme_paints_everything_anew(it: Open) -> None:
    pictures = []
    for scheme in ("light", "dark", "light"):
        if current_theme().scheme != scheme:
            apply_theme(it.qapp, scheme)
        seen = it.asker.frame.grab().toImage()
        surface = current_theme().surface
        edge = [seen.pixelColor(2, y) for y in range(2, seen.height() - 2, 16)]
        assert all(colour == surface for colour in edge), scheme
        pictures.append(painted(it.asker.view))
    assert np.array_equal(pictures[0], pictures[2])


def dark_and_light_differ(it: Open) -> None:
    assert not np.array_equal(painted(it.asker.view, "dark"), painted(it.asker.view, "light"))


def larger_text_makes_a_page_larger_and_no_text_is_lost(it: Open) -> None:
    usual = painted(it.asker.view)
    it.running.window.commands.zoom(1)
    larger = painted(it.asker.view)
    it.running.window.commands.zoom(0)
    assert larger.shape[0] > usual.shape[0]
    assert np.array_equal(painted(it.asker.view), usual)


def a_cancelled_question_can_be_asked_again(it: Open) -> None:
    it.engine.held.add("view:")
    before = it.asker.view.result
    it.running.bench.asking.run_again()
    it.qtbot.waitUntil(lambda: not it.asker.is_idle)
    QTest.keyClick(it.running.window, Qt.Key.Key_Period, CONTROL)
    it.qtbot.waitUntil(lambda: it.asker.is_idle)
    assert it.asker.view.result is before
    it.engine.held.clear()
    asked = len(it.engine.calls)
    it.running.bench.asking.run_again()
    it.qtbot.waitUntil(lambda: it.asker.is_idle and it.asker.frame.state is FrameState.RESULT)
    assert [call for call in it.engine.calls[asked:] if call.lane == it.asker.lane]


def a_pin_leaves_every_option_where_it_is(it: Open) -> None:
    view = it.asker.view
    changed = {}
    for option in view.of.options:
        other = next((v for v in others_of(option) if v != option.of(view.now)), None)
        if other is not None and option.redraws:
            it.running.bench.edits.set_option(option.key, other)
            changed[option] = option.of(it.running.bench.state.document)
    it.qtbot.waitUntil(lambda: it.asker.is_idle)
    view.pin()
    assert view.baseline is not None
    for option, value in changed.items():
        assert option.of(it.running.bench.state.document) == value, option.key
        assert option.of(view.now) == value, option.key
    assert view.figure(WIDTH, current_theme()) is not None
    view.unpin()


def a_gesture_is_one_step_and_undo_takes_it_back(it: Open) -> None:
    stack, state = it.running.bench.state.stack, it.running.bench.state
    for edit in gestures_of(it.asker.view):
        before, steps = state.document, stack.index()
        it.asker.view.act(edit)
        it.qtbot.waitUntil(lambda: it.running.bench.asking.is_idle)
        assert stack.index() - steps == (state.document != before), edit.name
        if stack.index() > steps:
            assert edit.name in stack.undoText()
            stack.undo()
        assert state.document == before, edit.name
        it.qtbot.waitUntil(lambda: it.running.bench.asking.is_idle)


def a_click_on_a_stale_answer_never_breaks_the_text(it: Open) -> None:
    state = it.running.bench.state
    edits = gestures_of(it.asker.view)
    it.engine.held.add("view:")
    old = state.document
    front = "Yesterday evening "
    moved = replace(
        old,
        text=front + old.text,
        masks=tuple(
            replace(m, start=m.start + len(front), end=m.end + len(front)) if m.part == 0 else m
            for m in old.masks
        ),
    )
    for edit in edits:
        state.edit("text", moved)
        it.asker.view.act(edit)
        fresh = edit.on(old)
        expected = (moved.text, front + fresh.text, fresh.text)
        assert state.document.text in expected, edit.name
        state.edit("text", old)
    it.engine.held.clear()
    it.running.bench.asking.cancel()


ON_EVERY_PAGE = (
    an_answer_on_the_sheet_is_the_one_on_the_screen,
    dark_and_light_differ,
    a_pin_leaves_every_option_where_it_is,
    a_click_on_a_stale_answer_never_breaks_the_text,
)
IN_TURN = (
    another_scheme_paints_everything_anew,
    larger_text_makes_a_page_larger_and_no_text_is_lost,
    a_cancelled_question_can_be_asked_again,
    a_gesture_is_one_step_and_undo_takes_it_back,
)
"""What the frame does for all pages alike, the whole window each time: one of them with each page,
so that each is tried with ten pages. With --all each is with each."""
NAMES = sorted({run.summary.operation for run in RECORDED.values()})


@quiet
@pytest.mark.parametrize("name", NAMES)
def test_a_page_in_every_situation(ask, subtests, name, request):
    it = ask(name)
    own = (IN_TURN[NAMES.index(name) % len(IN_TURN)],)
    for situation in ON_EVERY_PAGE + (IN_TURN if request.config.option.all else own):
        with subtests.test(situation.__name__):
            situation(it)
