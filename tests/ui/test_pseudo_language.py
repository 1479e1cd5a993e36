"""A window in English that looks translated: what was missed, glued or cut off is found."""

import contextlib
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from explorer.samples.samples import samples
from explorer.text import language as languages
from explorer.text.pseudo import CLOSING, OPENING
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.views import listed
from explorer.ui.views.frame.header import OneLine
from tests.ui.fake_engine import GUESSES, PICKLED

WORD = re.compile(r"[A-Za-z]{3,}")
NAMES = re.compile(
    r"PLM Explorer|Hugging Face|\b(auto|cpu|cuda|mps|float16|float32|bfloat16)\b"
    r"|[\w.-]*miniature[\w.-]*|https?://\S+|Ctrl|Shift|Alt|CSV|JSON|PNG|SVG|PDF|Undo|Redo|PgDown|PgUp|Home|Return|plm-explorer|python|torch|transformers|PySide\d?"
)


@pytest.fixture
def window(speak, request):
    """The window in the pseudo language, with a model and an answer."""
    speak("en_XA")
    running = request.getfixturevalue("running")
    return running.window


def bare(text, known=()):
    """What of a text did not go through the catalogue, but for names and what the user typed."""
    text = re.sub(r"<style.*?</style>|<[^<>]*>", " ", text, flags=re.DOTALL)
    for one in known:
        text = text.replace(one, " ")
    depth, outside = 0, []
    for letter in text:
        depth += (letter == OPENING) - (letter == CLOSING)
        outside.append(letter if depth == 0 else " ")
    left = NAMES.sub(" ", "".join(outside))
    return " ".join(WORD.findall(left))


ANSWERED = ("made", "ate")
"""Words of the fake engine's answer."""
OF_QT = re.compile(r"qt_|Scroll(Left|Right)Button")


def texts_of(window):
    """Where a text is, and what it says."""
    for widget in [window, *window.findChildren(QWidget)]:
        if OF_QT.match(widget.objectName()) or isinstance(widget.parent(), QDialogButtonBox):
            continue
        place = f"{type(widget).__name__} {widget.objectName()}"
        yield place, "tip", widget.toolTip()
        yield place, "name", widget.accessibleName()
        yield place, "description", widget.accessibleDescription()
        if isinstance(widget, QLabel | QAbstractButton):
            yield place, "text", widget.text()
        if isinstance(widget, QLineEdit):
            yield place, "placeholder", widget.placeholderText()
        if isinstance(widget, QGroupBox):
            yield place, "title", widget.title()
        if widget.isWindow() or widget.windowTitle():
            yield place, "window title", widget.windowTitle()
    for action in window.findChildren(QAction):
        place = f"action {action.objectName()}"
        yield place, "text", action.text()
        yield place, "tip", action.toolTip()


def missed(window, known=()):
    return sorted(
        {
            f"{place} {what}: {text[:70]!r} ({bare(text, known)})"
            for place, what, text in texts_of(window)
            if bare(text, known)
        }
    )


def known_of(window):
    document = window.bench.state.document
    # Languages are called as their own speakers do.
    said = [document.text, *document.text.split(), *ANSWERED, *languages.NAMES.values()]
    for card in window.bench.models.cards.values():
        said += [card.title, card.architecture.partition(" · ")[0]]
    said += [sample.text for sample in samples()] + [sample.pair or "" for sample in samples()]
    return sorted(filter(None, said), key=len, reverse=True)


def test_every_text_of_the_window_is_translated(window):
    window.lecture_dock.show()
    for page in listed():
        window.view_area.bring_forward(page.of.name)
    found = missed(window, known_of(window))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "command",
    [
        "show_page_help",
        "show_shortcuts",
        "show_glossary",
        "show_plugins",
        "show_about",
        "show_licences",
        "report_problem",
    ],
)
def test_every_text_of_a_dialog_is_translated(window, qtbot, command):
    getattr(window.commands, command)()
    dialog = next(one for one in window.findChildren(QDialog) if one.isVisible())
    found = missed(dialog, known_of(window))
    for browser in dialog.findChildren(QTextBrowser):
        left = bare(browser.toPlainText(), known_of(window))
        if left:
            found.append(f"{browser.objectName()}: {left[:300]}")
    assert not found, "\n".join(found)


def write_a_note(window):
    log = window.log
    actions = log.menu_of(log.model.run_at(0)).actions()
    next(one for one in actions if "ñööţéé" in one.text()).trigger()


def fill_the_sheet(window):
    window.sheet.add(window.current_view())
    window.sheet.open()


OPENED = {
    "comparison sheet": fill_the_sheet,
    "pickle": lambda window: window.bench.actions.load(
        window.bench.checkpoints.find(PICKLED.id), "A"
    ),
    "note": write_a_note,
    "table": lambda window: window.commands.export_view("table"),
    "picture": lambda window: window.commands.export_view("picture"),
}


@pytest.mark.parametrize("name", sorted(OPENED))
def test_every_text_of_what_is_saved_or_compared_is_translated(window, qtbot, name):
    qtbot.waitUntil(lambda: window.log.model.rowCount() > 0)
    OPENED[name](window)
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(QDialog)))
    dialog = next(one for one in window.findChildren(QDialog) if one.isVisible())
    known = [*known_of(window), *GUESSES]
    found = missed(dialog, known)
    assert not found, "\n".join(found)
    assert not list(cut_off(dialog)), "\n".join(cut_off(dialog))
    dialog.close()


def cut_off(window):
    """Labels and buttons that have less room than their words."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or OF_QT.match(widget.objectName()):
            continue
        if isinstance(widget, OneLine) and plain_tip(widget.text()) == widget.toolTip():
            continue  # what does not fit ends in dots, and is read where it is pointed at
        is_wrapped = isinstance(widget, QLabel) and widget.wordWrap()
        if is_wrapped or not isinstance(widget, QLabel | QPushButton | QCheckBox | QToolButton):
            continue
        text = widget.text()
        if OPENING not in text or CLOSING not in text:
            continue
        shown = QTextDocumentFragment.fromHtml(text).toPlainText() if "<" in text else text
        wide = widget.fontMetrics().horizontalAdvance(shown.replace("&", ""))
        if isinstance(widget, QToolButton) and (
            widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
        ):
            continue
        if wide > widget.width() + 1:
            yield f"{type(widget).__name__} {widget.objectName()} {widget.width()} < {wide}: {text}"


@pytest.mark.parametrize("size", [(1600, 1000), (1024, 700)])
def test_nothing_is_cut_off_where_texts_are_longer(window, qtbot, size):
    window.resize(*size)
    qtbot.waitUntil(lambda: window.width() == size[0])
    # Tools that become icons alone take their new size a moment later.
    with contextlib.suppress(qtbot.TimeoutError):
        qtbot.waitUntil(lambda: not list(cut_off(window)), timeout=2000)
    assert not list(cut_off(window)), "\n".join(cut_off(window))
