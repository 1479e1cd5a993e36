"""What a view's frame shows in the place of a result: nothing yet, working, failed, unavailable."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import Blame, Failure
from explorer.text import N_, _
from explorer.ui.controls.buttons.fold_button import FoldButton
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.notices.wording import menu_text
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import TextRole, in_role
from explorer.ui.views.frame.progress_line import ProgressLine

Way = tuple[str, Callable[[], None]]
"""A button: what it says and what it does."""

ICON = 30
WIDEST = 460


def state_label(name: str, role: TextRole, parent: QWidget) -> QLabel:
    """A wrapped label with plain text; the style sheet knows its role."""
    made = plain_label(parent)
    made.setObjectName(name)
    in_role(made, role)
    made.setWordWrap(True)
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return made


class StatePage(QWidget):
    """An icon, a sentence and what to do, in the middle of the view."""

    def __init__(self, name: str, glyph: str, colour: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._ways: tuple[Way, ...] = ()
        self._buttons: list[QPushButton] = []
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        middle = self._middle = QWidget(area)
        area.setWidget(middle)
        inner = self._inner = QWidget(middle)
        self.column = QVBoxLayout(inner)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self.sign = plain_label(inner)
        self.sign.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.set_sign(glyph, colour)
        self.sentence = state_label(f"{name}Sentence", "body", inner)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.column.addWidget(self.sign)
        self.column.addWidget(self.sentence)
        self._fit()
        row = QHBoxLayout(middle)
        row.setContentsMargins(20, 16, 20, 16)
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)
        row.setAlignment(inner, Qt.AlignmentFlag.AlignVCenter)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def takes(self, width: int) -> int:
        """The height in pixels in which all of it is seen, in a width."""
        return max(0, self._middle.heightForWidth(width)) + 2

    def offer_ways(self, ways: Sequence[Way]) -> None:
        """Show a button for each; the first one is what one would press."""
        before, self._ways = [said for said, _does in self._ways], tuple(ways)
        if before == [said for said, _does in ways]:
            return  # the buttons that are there keep the keyboard
        for old in self._buttons:
            self.column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._buttons = [self._way_button(number) for number in range(len(ways))]
        for button in self._buttons:
            self.column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            button.show()
        self._fit()

    def _fit(self) -> None:
        # A button is read whole, whatever it says.
        widest = max((one.sizeHint().width() for one in self._buttons), default=0)
        self._inner.setMaximumWidth(max(zoomed(WIDEST), widest))

    def _way_button(self, number: int) -> QPushButton:
        button = QPushButton(menu_text(self._ways[number][0]), self)
        button.setObjectName(f"way_{number}")
        button.setProperty("primary", number == 0 and len(self._ways) > 1)
        button.clicked.connect(partial(self._go, number))
        return button

    def _go(self, number: int) -> None:
        """Do what a button says; what it does is as new as what was offered last."""
        self._ways[number][1]()

    def set_sign(self, glyph: str, colour: str) -> None:
        """Show an icon; it is made anew when the colours change."""
        self.glyph, self.of_colour = glyph, colour
        self.sign.setPixmap(icon(glyph, colour).pixmap(QSize(ICON, ICON), 2.0))

    def refresh(self) -> None:
        """The colours or the fonts changed."""
        self.set_sign(self.glyph, self.of_colour)
        self._fit()


class EmptyPage(StatePage):
    """Nothing has been asked yet; one sentence says what to do.

    Signals:
        started: The button was pressed.
    """

    started = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("emptyPage", "gesture-tap", "muted", parent)
        in_role(self.sentence, "muted")
        self.button = QPushButton(_("Run"), self)
        self.button.setObjectName("startButton")
        self.button.setDefault(True)
        self.button.clicked.connect(self.started)
        self.button.hide()
        self.column.addSpacing(4)
        self.column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)

    def offer(self, action: str) -> None:
        """Show a button with this on it; none for ""."""
        self.button.setText(action or _("Run"))
        self.button.setVisible(bool(action))


class UnavailablePage(StatePage):
    """This model cannot answer; one line says why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("unavailablePage", "cancel", "muted", parent)
        in_role(self.sentence, "muted")


class WorkingPage(StatePage):
    """The first answer is on its way.

    Signals:
        cancelled: The button was pressed.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("workingPage", "timer-sand", "muted", parent)
        in_role(self.sentence, "muted")
        self.line = ProgressLine(self)
        self.line.setObjectName("workingLine")
        self.line.setMinimumWidth(200)
        self.button = QPushButton(_("Cancel"), self)
        self.button.setObjectName("cancelButton")
        self.button.clicked.connect(self.cancelled)
        self.column.addWidget(self.line)
        self.column.addSpacing(4)
        self.column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)


_BLAMED: dict[Blame, tuple[str, str, str]] = {
    Blame.USER: ("pencil-outline", "warning", ""),
    Blame.CHECKPOINT: ("file-alert-outline", "danger", N_("The checkpoint has a problem.")),
    Blame.PLUGIN: ("puzzle-outline", "danger", N_("A plugin has a problem.")),
    Blame.MACHINE: ("memory", "danger", N_("The machine could not do it.")),
    Blame.BUG: ("bug-outline", "danger", N_("This is a fault of the program.")),
}


class FailedPage(StatePage):
    """What went wrong, what to do, and the details on demand.

    Signals:
        retried: The button was pressed.
    """

    retried = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("failedPage", "alert-circle-outline", "danger", parent)
        self.failure: Failure | None = None
        self.whose = state_label("failedWhose", "small", self)
        self.whose.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        in_role(self.sentence, "strong")
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hint = state_label("failedHint", "muted", self)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.retry = QPushButton(_("Try again"), self)
        self.retry.setObjectName("retryButton")
        self.retry.clicked.connect(self.retried)
        self.copy = QPushButton(_("Copy details"), self)
        self.copy.setObjectName("copyDetailsButton")
        self.copy.clicked.connect(self.copy_details)
        self.fold = FoldButton(_("Details"), self)
        self.fold.setObjectName("detailsButton")
        icon_in_size(self.fold)
        self.fold.clicked.connect(lambda: self._unfold(not self.fold.is_open))
        self.details = QPlainTextEdit(self)
        self.details.setObjectName("failedDetails")
        self.details.setAccessibleName(_("Details of the failure"))
        self.details.setReadOnly(True)
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        in_role(self.details, "mono")
        self.details.setMinimumHeight(140)
        self.details.hide()
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for button in (self.retry, self.copy, self.fold):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.column.insertWidget(1, self.whose)
        self.column.addWidget(self.hint)
        self.column.addSpacing(6)
        self.column.addLayout(buttons)
        self.column.addWidget(self.details)

    def show_failure(self, failure: Failure) -> None:
        """Fill the page."""
        self.failure = failure
        glyph, colour, whose = _BLAMED[failure.blame]
        self.set_sign(glyph, colour)
        self.whose.setText(_(whose))
        self.whose.setVisible(bool(whose))
        self.sentence.setText(failure.said)
        self.hint.setText(failure.advice)
        self.hint.setVisible(bool(failure.advice))
        self.details.setPlainText(failure.traceback)
        has_details = bool(failure.traceback) and failure.blame is not Blame.USER
        self._unfold(False)
        self.fold.setVisible(has_details)
        self.copy.setVisible(has_details)

    def refresh(self) -> None:
        """The colours or the fonts changed."""
        super().refresh()
        in_role(self.details, "mono")

    def _unfold(self, open_: bool) -> None:
        self.fold.set_open(open_)
        self.details.setVisible(open_)

    def copy_details(self) -> None:
        """Copy everything that a report needs."""
        if self.failure is not None:
            failure = self.failure
            lines = (f"{failure.blame.value}: {failure.message}", failure.hint, failure.traceback)
            QGuiApplication.clipboard().setText("\n".join(line for line in lines if line))
