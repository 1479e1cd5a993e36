import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from explorer.api.question import Blame, Failure
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import apply_theme, current_theme, theme_signals
from explorer.ui.views.frame.state_pages import StatePage
from explorer.ui.views.frame.view_frame import EXPORTS, QUIET_MS, TO_SHEET, FrameState, ViewFrame

LEFT = Qt.MouseButton.LeftButton
FAULT = Failure(Blame.CHECKPOINT, "The weights are damaged.", "Take another.", "Traceback: 42")


@pytest.fixture
def frame(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    made = ViewFrame("Masked tokens", "What is expected here?", QLabel("the result"), parent=window)
    made.resize(500, 320)
    window.resize(500, 320)
    window.show()
    qtbot.waitExposed(window)
    yield made
    window.close()


def child(frame, kind, name):
    found = frame.findChild(kind, name)
    assert found is not None, name
    return found


def seen(frame):
    """What stands on screen below the header."""
    pages = [page for page in (frame.content, *frame.findChildren(StatePage)) if page.isVisible()]
    assert len(pages) == 1
    return pages[0]


ENTER = {
    FrameState.EMPTY: lambda frame: frame.show_empty("Click a word."),
    FrameState.WORKING: lambda frame: frame.show_working("Running"),
    FrameState.STALE: lambda frame: frame.show_stale("It is old."),
    FrameState.RESULT: lambda frame: frame.show_result(),
    FrameState.FAILED: lambda frame: frame.show_failed(FAULT),
    FrameState.UNAVAILABLE: lambda frame: frame.show_unavailable("It has no head."),
}


@pytest.mark.parametrize("one", FrameState)
@pytest.mark.parametrize("two", FrameState)
def test_states_exclude_each_other(frame, qtbot, one, two):
    frame.show_result()
    ENTER[one](frame)
    frame.quiet.timeout.emit()
    ENTER[two](frame)
    if two in (FrameState.WORKING, FrameState.STALE):
        frame.quiet.timeout.emit()
    hidden = one in (FrameState.EMPTY, FrameState.UNAVAILABLE)
    expected = FrameState.EMPTY if two is FrameState.STALE and hidden else two
    assert frame.state is expected
    assert frame.property("state") == expected.value
    page = seen(frame)
    bar = child(frame, QWidget, "staleBar").isVisible()
    veil = frame.content.veil.isVisible()
    over = expected is FrameState.STALE or (expected is FrameState.WORKING and not hidden)
    assert (bar, veil) == (over, over)
    if over or expected is FrameState.RESULT:
        assert page is frame.content
    else:
        assert page.objectName() == f"{expected.value}Page"
    can = expected in (FrameState.RESULT, FrameState.STALE)
    assert child(frame, QToolButton, "exportButton").isEnabled() == can
    assert child(frame, QLabel, "viewTitle").isVisible()


def test_a_new_frame_is_empty_and_says_what_to_do(frame):
    assert frame.state is FrameState.EMPTY
    frame.show_empty("Click a word to mask it.")
    label = child(frame, QLabel, "emptyPageSentence")
    assert label.isVisible()
    assert label.text() == "Click a word to mask it."
    assert frame.accessibleDescription() == "Click a word to mask it."


def test_a_fast_answer_does_not_flicker(frame, qtbot):
    frame.show_result()
    before = frame.grab().toImage()
    frame.show_working("Running")
    assert frame.state is FrameState.WORKING
    assert seen(frame) is frame.content
    assert not child(frame, QWidget, "staleBar").isVisible()
    assert not frame.content.veil.isVisible()
    frame.show_result()
    assert not frame.quiet.isActive()
    assert frame.grab().toImage() == before


def test_work_is_spoken_of_when_it_takes_long(frame, qtbot):
    frame.show_working("Loading")
    assert frame.quiet.interval() == QUIET_MS == 150
    qtbot.waitUntil(frame.working_page.isVisible, timeout=2000)
    frame.set_progress("Running", 3, 12, "layer 3 of 12")
    assert child(frame, QLabel, "workingPageSentence").text() == "Running · layer 3 of 12…"
    assert frame.working_page.line.fraction == pytest.approx(0.25)
    frame.set_progress("Waiting")
    assert frame.working_page.line.fraction is None


def test_work_can_be_cancelled_with_and_without_an_old_result(frame, qtbot):
    frame.show_working()
    frame.quiet.timeout.emit()
    with qtbot.waitSignal(frame.cancel_requested):
        qtbot.mouseClick(child(frame, QPushButton, "cancelButton"), LEFT)
    frame.show_result()
    frame.show_working()
    frame.quiet.timeout.emit()
    button = child(frame, QPushButton, "barCancelButton")
    assert button.isVisible()
    assert not child(frame, QPushButton, "runAgainButton").isVisible()
    with qtbot.waitSignal(frame.cancel_requested):
        qtbot.mouseClick(button, LEFT)


def test_an_old_result_is_dimmed_and_can_be_asked_again(frame, qtbot):
    frame.show_result()
    fresh = frame.content.grab().toImage()
    frame.show_stale("This is for an earlier sentence.")
    qtbot.waitUntil(frame.content.veil.isVisible, timeout=2000)
    assert child(frame, QLabel, "staleText").text() == "This is for an earlier sentence."
    assert frame.content.grab().toImage() != fresh
    with qtbot.waitSignal(frame.retry_requested):
        qtbot.mouseClick(child(frame, QPushButton, "runAgainButton"), LEFT)


def test_whoever_pressed_a_button_that_goes_is_on_the_view(frame, qtbot):
    frame.window().activateWindow()
    frame.show_empty("It takes a while.", "Run")
    qtbot.mouseClick(frame.empty_page.button, LEFT)
    assert frame.empty_page.button.hasFocus()
    frame.show_working()
    frame.show_result()
    assert frame.window().focusWidget() is frame
    # Whoever was elsewhere stays there.
    frame.show_empty("It takes a while.", "Run")
    frame.header.help.setFocus()
    frame.show_result()
    assert frame.header.help.hasFocus()


def test_a_failure_says_what_and_what_to_do(frame, qtbot):
    frame.show_failed(FAULT)
    assert child(frame, QLabel, "failedPageSentence").text() == "The weights are damaged."
    assert child(frame, QLabel, "failedHint").text() == "Take another."
    details = child(frame, QPlainTextEdit, "failedDetails")
    assert not details.isVisible()
    qtbot.mouseClick(child(frame, QToolButton, "detailsButton"), LEFT)
    assert details.isVisible()
    assert details.toPlainText() == "Traceback: 42"
    qtbot.mouseClick(child(frame, QPushButton, "copyDetailsButton"), LEFT)
    copied = QGuiApplication.clipboard().text()
    for part in ("checkpoint", "The weights are damaged.", "Take another.", "Traceback: 42"):
        assert part in copied
    with qtbot.waitSignal(frame.retry_requested):
        qtbot.mouseClick(child(frame, QPushButton, "retryButton"), LEFT)


def test_the_buttons_of_a_failure_are_read_whole_in_the_letters_of_a_stage(frame, qapp, qtbot):
    chrome.scale_font(qapp, 2.0)
    try:
        frame.window().resize(1600, 800)
        frame.resize(1600, 800)
        frame.show_failed(FAULT)
        buttons = [child(frame, QPushButton, name) for name in ("retryButton", "copyDetailsButton")]
        qtbot.waitUntil(lambda: all(one.width() >= one.sizeHint().width() for one in buttons))
    finally:
        chrome.scale_font(qapp, 1.0)


def test_icons_say_their_words_where_the_question_has_all_of_its_room(frame, qtbot):
    for wide, said in ((1400, "Export"), (300, ""), (1400, "Export")):
        frame.window().resize(wide, 320)
        frame.resize(wide, 320)
        qtbot.waitUntil(lambda said=said: frame.export_button.text() == said)
        assert frame.export_button.accessibleName() == "Export"
        whole = frame.header.question.width() >= frame.header.question.sizeHint().width()
        assert whole == bool(said)


@pytest.mark.parametrize("blame", Blame)
def test_each_kind_of_failure_has_its_own_words(frame, blame):
    frame.show_failed(Failure(blame, "It failed.", "", "details"))
    whose = child(frame, QLabel, "failedWhose")
    has_details = child(frame, QToolButton, "detailsButton").isVisible()
    assert whose.isVisible() == (blame is not Blame.USER)
    assert has_details == (blame is not Blame.USER)
    assert not child(frame, QLabel, "failedHint").isVisible()


def test_failures_differ_in_words(frame):
    said = set()
    for blame in Blame:
        frame.show_failed(Failure(blame, "It failed."))
        said.add(child(frame, QLabel, "failedWhose").text())
    assert len(said) == len(Blame)


def test_unavailable_says_why_and_keeps_the_title(frame):
    frame.show_unavailable("This checkpoint holds no masked-LM head.")
    why = child(frame, QLabel, "unavailablePageSentence")
    assert why.text() == "This checkpoint holds no masked-LM head."
    assert child(frame, QLabel, "viewTitle").text() == "Masked tokens"


def test_stale_without_a_result_is_empty(frame):
    frame.show_empty("Click a word.")
    frame.show_stale("old")
    assert frame.state is FrameState.EMPTY


def test_every_export_is_in_the_menu(frame, qtbot):
    frame.show_result()
    menu = child(frame, QToolButton, "exportButton").menu()
    actions = {action.data(): action for action in menu.actions() if not action.isSeparator()}
    assert list(actions) == [*(kind for kind, _, _ in EXPORTS), TO_SHEET]
    for kind, action in actions.items():
        with qtbot.waitSignal(frame.export_requested) as told:
            action.trigger()
        assert told.args == [kind]


def test_changes_of_state_are_told_once(frame, qtbot):
    heard = []
    frame.state_changed.connect(heard.append)
    frame.show_working()
    frame.show_working("still")
    frame.show_result()
    frame.show_result()
    assert heard == [FrameState.WORKING, FrameState.RESULT]


def test_the_mouse_reaches_an_old_result(frame):
    transparent = Qt.WidgetAttribute.WA_TransparentForMouseEvents
    assert frame.content.veil.testAttribute(transparent)


def test_icons_follow_the_scheme(frame, qapp):
    frame.show_empty("x")
    light = frame.empty_page.sign.pixmap().toImage()
    apply_theme(qapp, "dark")
    assert frame.empty_page.sign.pixmap().toImage() != light


def test_the_busy_line_rests_while_it_is_hidden(frame):
    frame.show_working()
    frame.quiet.timeout.emit()
    assert frame.working_page.line._timer
    frame.show_result()
    assert not frame.working_page.line._timer


def test_fonts_follow_the_applications(frame, qapp):
    small, before = frame.header.title.font().pixelSize(), qapp.font()
    larger = qapp.font()
    larger.setPointSizeF(before.pointSizeF() * 2)
    try:
        qapp.setFont(larger)
        theme_signals().changed.emit(current_theme())
        assert frame.header.title.font().pixelSize() > small * 1.6
        assert frame.failed_page.details.font().pixelSize() > small * 1.4
    finally:
        qapp.setFont(before)
        theme_signals().changed.emit(current_theme())


def test_a_narrow_frame_keeps_its_question_as_a_tooltip(frame, qtbot):
    question = child(frame, QLabel, "viewQuestion")
    assert question.isVisible()
    frame.resize(180, 320)
    qtbot.waitUntil(lambda: not question.isVisible())
    assert child(frame, QLabel, "viewTitle").toolTip() == question.text()
    frame.resize(500, 320)
    qtbot.waitUntil(question.isVisible)


@pytest.mark.parametrize("question", ["Short?", "Which of all these words would it say? " * 4])
def test_tools_of_any_height_stand_on_one_line_at_the_top(qtbot, question):
    window = QWidget()
    qtbot.addWidget(window)
    tools = [QCheckBox("Every token"), QComboBox(), QLineEdit(), QPushButton("Open")]
    framed = ViewFrame("Exact answers", question, QLabel("the result"), tools, window)
    framed.resize(900, 320)
    window.resize(900, 320)
    window.show()
    qtbot.waitExposed(window)
    middles = [one.geometry().center().y() for one in (*tools, framed.export_button)]
    assert max(middles) - min(middles) <= 1
    assert max(middles) < 40
