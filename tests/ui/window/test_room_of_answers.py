"""How much of the window an answer has, page by page, in windows of the usual sizes."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from explorer.questions.attention.attention.question import AttentionRequest
from explorer.ui.views.frame.view_frame import FrameState
from explorer.ui.window.main_window import SMALLEST
from tests.stored_runs.recorded import RECORDED
from tests.ui.fake_engine import CACHED, MINIATURE
from tests.ui.test_matrix import WORDS, heads_of, quiet

QUESTIONS = sorted(name for name, run in RECORDED.items() if name == run.summary.operation)
"""One recorded answer to each."""
ONE_LINE = {"tokens": 41, "text": 34}
"""Pixels of one line of tokens, and of text."""
LEAST = {(1366, 768): 0.63, (1024, 700): 0.53}
"""Of the window's area, by the window's size; with settings closed, and a text of one line."""
LARGE, LARGE_LEAST = (1600, 1000), (1150, 786)
SMALLEST_LEAST = (600, 196)
"""Pixels of an answer in the smallest window."""
IN_TURN = 3
"""Every third page is shown in the largest and the smallest window, too; with --all each."""


@pytest.fixture
def window(engine, start, qtbot):
    """A window whose two models answer every question as it was recorded."""
    offered = tuple(run.summary.operation for run in RECORDED.values())
    engine.catalogue = tuple(
        replace(one, operations=offered) if one.id in (MINIATURE.id, CACHED.id) else one
        for one in engine.catalogue
    )
    for run in map(RECORDED.get, QUESTIONS):
        engine.answers[type(run.request)] = lambda _request, _card, run=run: run.result
    engine.answers[AttentionRequest] = lambda request, _card: heads_of(request)
    running = start()
    bench = running.bench
    bench.actions.load(bench.checkpoints.find(CACHED.id), "B")
    qtbot.waitUntil(lambda: "B" in bench.models.cards)
    return running.window


def ask(window, name, qtbot):
    """Show the recorded answer to a question."""
    bench, run = window.bench, RECORDED[name]
    document = run.document
    for key, value in WORDS.get(name, {}).items():
        document = document.with_option(key, value)
    bench.state.edit("text", document)
    window.view_area.bring_forward(run.summary.operation)
    asker = bench.asking.askers[run.summary.operation]
    qtbot.waitUntil(lambda: bench.asking.is_idle)
    if asker.frame.state is FrameState.EMPTY and asker.frame.empty_page.button.isVisible():
        asker.frame.empty_page.button.click()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT and bench.asking.is_idle)
    return window.view_of(run.summary.operation)


def room_of(window, view):
    """Width and height of what shows the answer, and the height that a longer text takes of it."""
    for _ in range(3):
        QApplication.processEvents()
    height = view.height() - view.options.row.height()
    sentence = window.sentence
    taken = max(0, sentence.strip_area.height() - ONE_LINE["tokens"])
    taken += max(0, sentence.editors[0].height() - ONE_LINE["text"])
    if sentence.editors[1].isVisible():
        taken += sentence.editors[1].height() + 4
    return view.area.width(), height, taken


def share_of(window, view):
    """Of the window's area, what shows the answer where the text is of one line."""
    width, height, taken = room_of(window, view)
    return width * (height + taken) / (window.width() * window.height())


@quiet
def test_an_answer_has_its_part_of_the_window(window, subtests, qtbot, request):
    for number, name in enumerate(QUESTIONS):
        with subtests.test(name):
            view = ask(window, name, qtbot)
            for size, least in LEAST.items():
                window.resize(*size)
                # What stands around the page is laid out in turns; a notice goes by itself.
                qtbot.waitUntil(lambda: share_of(window, view) >= least)  # noqa: B023
            if number % IN_TURN and not request.config.option.all:
                continue  # what is around the page is the same for all
            window.resize(*LARGE)
            width, height, taken = room_of(window, view)
            assert width >= LARGE_LEAST[0]
            assert height + taken >= LARGE_LEAST[1]
            window.resize(*SMALLEST)
            width, height, _taken = room_of(window, view)
            assert width >= SMALLEST_LEAST[0]
            assert height >= SMALLEST_LEAST[1]
