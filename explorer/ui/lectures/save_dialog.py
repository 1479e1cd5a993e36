"""Save as scene: a title, what to look at, a chapter; the rest is what is on screen."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.lectures import Chapter
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.text_roles import in_role

SENTENCES = 3
WIDE = 560


@guarded
class SaveSceneDialog(QDialog):
    """The words of a scene.

    Signals:
        save_wanted: A title, the sentences, and the key of a chapter or "".
    """

    save_wanted = Signal(str, object, str)

    def __init__(self, held: str, chapters: Sequence[Chapter], parent: QWidget) -> None:
        """A dialog without a title yet.

        Args:
            held: What is saved besides, in words.
            chapters: Those of the lecture that is open.
            parent: The window.
        """
        super().__init__(parent)
        self.setObjectName("save_scene")
        self.setWindowTitle(_("Save as scene"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.heading = QLineEdit(self)
        self.heading.setObjectName("save_scene_title")
        self.heading.setPlaceholderText(_("What it shows, in a few words"))
        self.sentences = [self._sentence(number) for number in range(SENTENCES)]
        self.chapter = QComboBox(self)
        self.chapter.setObjectName("save_scene_chapter")
        self.chapter.setEditable(True)
        self.chapter.setToolTip(_("A chapter of the open lecture, or a name of your own"))
        self.chapter.addItem("", "")
        for chapter in chapters:
            if chapter.key:
                self.chapter.addItem(chapter.title(), chapter.key)
        fields = QFormLayout()
        fields.addRow(_("&Title"), self.heading)
        for number, sentence in enumerate(self.sentences):
            fields.addRow(_("&Look at") if not number else "", sentence)
            sentence.setAccessibleName(_("What to look at, sentence {number}", number=number + 1))
        fields.addRow(_("&Chapter"), self.chapter)
        self.held = plain_label(self, held)
        self.held.setObjectName("save_scene_held")
        self.held.setWordWrap(True)
        in_role(self.held, "small")
        self.buttons = QDialogButtonBox(self)
        self.save = self.buttons.addButton(_("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.save.clicked.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        self.heading.textChanged.connect(self._enable)
        column = QVBoxLayout(self)
        column.addLayout(fields)
        column.addWidget(self.held)
        column.addWidget(self.buttons)
        self._enable()
        self.resize(WIDE, self.sizeHint().height())

    @property
    def chosen_chapter(self) -> str:
        """The key of a chapter that was chosen, or what was typed."""
        typed = self.chapter.currentText().strip()
        found = self.chapter.findText(typed, Qt.MatchFlag.MatchExactly)
        return str(self.chapter.itemData(found)) if found >= 0 else typed

    def _sentence(self, number: int) -> QLineEdit:
        made = QLineEdit(self)
        made.setObjectName(f"save_scene_look_{number}")
        made.setPlaceholderText(
            _("What to look at, a sentence") if not number else _("Another sentence, or nothing")
        )
        return made

    def _enable(self) -> None:
        """A scene without a title could not be found again."""
        has_title = bool(self.heading.text().strip())
        self.save.setEnabled(has_title)
        self.save.setToolTip(plain_tip("" if has_title else _("Write a title first")))

    def _save(self) -> None:
        looks = tuple(one.text().strip() for one in self.sentences if one.text().strip())
        self.save_wanted.emit(self.heading.text().strip(), looks, self.chosen_chapter)
