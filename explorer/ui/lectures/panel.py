"""The lectures panel: the scenes of the lecture, and the one on screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QVBoxLayout, QWidget

from explorer.lectures import LESSONS
from explorer.text import _
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.lectures.scene_card import SceneCard
from explorer.ui.lectures.scene_list import SceneList
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions

FIRST_WIDTH, LEAST_WIDTH = 340, 260
"""Pixels; with less, sentences are columns of single words."""
LEAST_LIST = 170
"""Pixels of the list with what stands above it."""


@guarded
class Lectures(QWidget):
    """Which lecture, its scenes, and the card of the scene on screen, once it is first shown.

    Signals:
        left: Escape was pressed in it.
    """

    left = Signal()

    def __init__(self, actions: LectureActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("lectures")
        self.setMinimumWidth(LEAST_WIDTH)
        self._actions = actions
        self._lecturing = actions.lecturing
        self._is_made = False

    def _make(self) -> None:
        """Put everything into it; most who start the program give no lecture."""
        self._is_made = True
        actions, lecturing = self._actions, self._lecturing
        self.name = plain_label(self)
        self.name.setObjectName("lecture_name")
        in_role(self.name, "muted")
        self.menu = self._menu_button()
        self.list = SceneList(lecturing, self)
        self.list.chosen.connect(lecturing.resume)
        self.hint = plain_label(self)
        self.hint.setObjectName("lectures_hint")
        self.hint.setWordWrap(True)
        in_role(self.hint, "muted")
        self.hint.setContentsMargins(12, 6, 12, 10)
        self.hint.setText(
            _(
                "Choose a scene: its models, its text and its page come by themselves. Undo "
                "brings back the text that was there."
            )
        )
        self._parts = QSplitter(Qt.Orientation.Vertical, self)
        self.card = SceneCard(lecturing, actions.on, actions.back, actions.present, self._parts)
        self.card.library_wanted.connect(actions.library_wanted)
        top = QHBoxLayout()
        top.setContentsMargins(10, 6, 8, 2)
        top.addWidget(self.name, 1)
        top.addWidget(self.menu)
        above = QWidget(self._parts)
        above.setMinimumHeight(LEAST_LIST)
        column = QVBoxLayout(above)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        inner = QVBoxLayout()
        inner.setContentsMargins(8, 0, 8, 0)
        inner.addWidget(self.list)
        column.addLayout(inner, 1)
        self._parts.setObjectName("lecture_parts")
        self._parts.setChildrenCollapsible(False)
        self._parts.addWidget(above)
        self._parts.addWidget(self.card)
        self._parts.setStretchFactor(0, 2)
        self._parts.setStretchFactor(1, 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._parts, 1)
        layout.addWidget(self.hint)
        lecturing.opened.connect(self._opened)
        lecturing.moved.connect(self._moved)
        self._opened()
        self._parts.show()
        self._moved()
        self._take_its_turn(above, self.card)

    def _take_its_turn(self, *parts: QWidget) -> None:
        """Let Tab come here as if all of it had been there from the beginning."""
        # Only what takes the keyboard has a place in the order.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        before: QWidget = self
        for part in parts:
            for one in part.findChildren(QWidget):
                if one.focusPolicy() != Qt.FocusPolicy.NoFocus:
                    QWidget.setTabOrder(before, one)
                    before = one
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        """Wide enough for sentences."""
        return QSize(FIRST_WIDTH, 600)

    def showEvent(self, event: QShowEvent) -> None:
        """The panel is made, and the lecture is read, when somebody first looks."""
        super().showEvent(event)
        if not self._is_made:
            self._make()
        self._lecturing.begin()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves it."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)

    def _menu_button(self) -> MenuButton:
        button = MenuButton(self)
        button.setObjectName("lecture_menu")
        button.setIcon(icon("dots-horizontal"))
        icon_in_size(button)
        button.setAutoRaise(True)
        button.setToolTip(_("Other lectures, and saving a scene"))
        button.setAccessibleName(_("Other lectures, and saving a scene"))
        menu = QMenu(button)
        menu.setObjectName("lecture_choices")
        menu.addActions(self._actions.of_lectures)
        button.opens(menu)
        return button

    def _opened(self) -> None:
        path = self._lecturing.path
        bundled = {"": _("Bundled lecture"), LESSONS: _("Lessons")}
        self.name.setText(bundled.get(path) or Path(path).stem)
        self.name.setToolTip(plain_tip("" if path in bundled else path))

    def _moved(self) -> None:
        self.hint.setVisible(not self._lecturing.runs)
