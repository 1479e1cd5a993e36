"""What journeys do again and again in the window, and how they wait for it."""

from explorer.api.family import LoadOptions
from explorer.sessions.read.reader import SessionReader

SLOW = 90_000
"""Milliseconds for whatever an engine does."""


def load(running, qtbot, **slots):
    """Load miniatures, as in load(running, qtbot, A="bert-miniature")."""
    models = running.bench.models
    for slot, name in slots.items():
        models.load(slot, name, name, LoadOptions(device="cpu"))

    def held():
        return {slot: models.cards[slot].stamp.id for slot in slots if slot in models.cards}

    qtbot.waitUntil(lambda: held() == slots, timeout=SLOW)


def answered(running, qtbot, question, then=lambda _view: True):
    """The view of a question once it shows an answer of which something is so."""
    from explorer.ui.views.frame.view_frame import FrameState

    asking = running.bench.asking
    qtbot.waitUntil(lambda: question in asking.askers, timeout=SLOW)
    asker = asking.askers[question]
    qtbot.waitUntil(
        lambda: asker.frame.state is FrameState.RESULT and asking.is_idle and then(asker.view),
        timeout=SLOW,
    )
    return asker.view


def brought(running, qtbot, question, then=lambda _view: True):
    """The same of a view that is brought forward first."""
    running.window.view_area.bring_forward(question)
    return answered(running, qtbot, question, then)


def take(hands, title):
    """Take a sample; gives the view it is made for, which has come forward."""
    from explorer.tour.hands import wait_until
    from tests.ui.sample_menu import take_sample

    sample = take_sample(hands.window, title)
    hands.settle()
    frame = hands.window.bench.asking.askers[sample.view].frame
    wait_until(frame.isVisible, f"the view {sample.view}")
    hands.settle()
    return hands.window.view_of(sample.view)


def newest(paths, question):
    """The last run of a question on record."""
    reader = SessionReader(paths.sessions)
    return reader.run(next(run.id for run in reader.runs() if run.operation == question))


def pressing(window):
    """What presses a key where the focus is, or types a text."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from explorer.tour.hands import wait_until

    def pressed(key, modifiers=Qt.KeyboardModifier.NoModifier):
        if QApplication.activeWindow() is None:
            # As a window manager does once what lay above the window has gone.
            window.activateWindow()
        wait_until(lambda: QApplication.focusWidget() is not None, "the focus")
        if isinstance(key, str):
            QTest.keyClicks(QApplication.focusWidget(), key)
        else:
            QTest.keyClick(QApplication.focusWidget(), key, modifiers)

    return pressed
