"""Ways in for whoever opens the program for the first time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from explorer.lectures import LESSONS, lessons
from explorer.text import N_, Phrase, _
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.notices.notices import Notice, Notices
from explorer.ui.notices.wording import menu_text
from explorer.ui.theme.text_roles import in_role
from explorer.ui.window.starts.startup import FIRST_CHECKPOINT

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions
    from explorer.ui.window.host import HostWindow
    from explorer.ui.window.menus.commands import Commands

PAGE = "masked_tokens"
"""The page that shows at once what hiding a word does."""


Way = tuple[str, Callable[[], object]]
"""What a button or an entry says, and what it does."""


class WaysIn(QFrame):
    """Buttons beside the models; they take nothing from the page.

    Args:
        ways: What the buttons say; each does something, or opens a menu of ways.
        parent: Where they stand.
    """

    def __init__(
        self, ways: tuple[tuple[str, Callable[[], object] | tuple[Way, ...]], ...], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("first_steps")
        self.setAccessibleName(_("First steps"))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        asks = plain_label(self, _("New here?"))
        in_role(asks, "muted")
        row.addWidget(asks)
        for number, (words, go) in enumerate(ways):
            button = self._opening(go) if isinstance(go, tuple) else QToolButton(self)
            button.setObjectName(f"way_in_{number}")
            button.setText(words)
            if not isinstance(go, tuple):
                button.clicked.connect(go)
            row.addWidget(button)
        self.close_button = QToolButton(self)
        self.close_button.setObjectName("ways_in_close")
        self.close_button.setText("✕")
        self.close_button.setToolTip(_("Dismiss; the Help menu has them"))
        self.close_button.setAccessibleName(_("Dismiss"))
        self.close_button.setAutoRaise(True)
        row.addWidget(self.close_button)

    def _opening(self, ways: tuple[Way, ...]) -> QToolButton:
        """A button with a menu."""
        button = MenuButton(self)
        menu = QMenu(button)
        for words, go in ways:
            menu.addAction(menu_text(words)).triggered.connect(go)
        button.opens(menu)
        return button


class FirstSteps(QObject):
    """Offers the sentence that is there, a model of one's own, and the first lesson.

    Attributes:
        are_offered: The ways in are on screen, or come back to it after a class.
        hints: What to do with the words, right above them; None before it was said.
    """

    def __init__(self, window: HostWindow, commands: Commands, lectures: LectureActions) -> None:
        super().__init__(window)
        self._window, self._commands, self._lectures = window, commands, lectures
        self._ways: WaysIn | None = None
        self.hints: Notices | None = None
        self.are_offered = False
        lectures.presenting.turned.connect(self._show)
        window.bench.state.changed.connect(self._edited)
        window.bench.models.changed.connect(self._make_room)

    def offer(self) -> None:
        """Say what there is to begin with; it stays until one is taken, or put away."""
        if self._ways is None:
            self._window.stand_first(self._made)
        self.are_offered = True
        self._show()

    def _show(self) -> None:
        if self._ways is not None:
            self._ways.setVisible(self.are_offered and not self._lectures.is_presenting)
        if self.hints is not None:
            self.hints.hush(self._lectures.is_presenting)

    def _made(self, parent: QWidget) -> QWidget:
        ways = (
            (_("Try the sentence"), self.try_sentence),
            (
                _("Open your own model"),
                (
                    (_("Open a model folder…"), self._commands.pick_folder),
                    (_("Download a published model…"), self._commands.get_real_model),
                    (_("Choose one from the library"), self.choose_model),
                ),
            ),
            (_("Take the first lesson"), self.take_lesson),
        )
        self._ways = WaysIn(ways, parent)
        self._ways.close_button.clicked.connect(self._done)
        return self._ways

    def _done(self) -> None:
        """Do not offer them again by itself."""
        self.are_offered = False
        self._show()
        self._window.bench.settings_store.change(first_steps=False)

    def _make_room(self, _slot: str = "") -> None:
        """Whoever has loaded a model has found the way, and two of them take the room."""
        held = {card.stamp.id for card in self._window.bench.models.cards.values()}
        if self.are_offered and held - {FIRST_CHECKPOINT}:
            self._done()

    def try_sentence(self) -> None:
        """Turn to the words of the sentence, and say what can be done with them."""
        self._done()
        self._window.view_area.bring_forward(PAGE)
        self._window.sentence.strip.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.hints is None:
            self._window.stand_first(self._made_hints)
        assert self.hints is not None
        self.hints.tell(
            Notice(
                "first_try",
                Phrase(N_("Click a word below the sentence to hide it from the model.")),
                Phrase(N_("Click it again to show it, or type a sentence of your own.")),
            )
        )

    def _made_hints(self, parent: QWidget) -> QWidget:
        self.hints = Notices(parent)
        self.hints.setObjectName("hints_above_words")
        return self.hints

    def choose_model(self) -> None:
        """Show the library, where models are opened and downloaded, too."""
        self._done()
        self._window.open_library("A")

    def take_lesson(self) -> None:
        """Show the first of the bundled lessons, or where somebody left it."""
        self._done()
        self._lectures.open_scene(LESSONS, lessons().scenes[0].name)

    def _edited(self) -> None:
        """What was to be tried has been."""
        if self.hints is not None:
            self.hints.dismiss("first_try")
