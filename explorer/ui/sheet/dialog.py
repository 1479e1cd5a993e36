"""The comparison sheet's window: what is on it, how it looks, and Save."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHideEvent,
    QImage,
    QKeySequence,
    QPixmap,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QMenu,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.text import N_, _
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.export.code import asked_in, copy_programs
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.guarded import guarded
from explorer.ui.notices.wording import menu_text
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.sheet.files import sheet_image
from explorer.ui.sheet.page import sheet_width
from explorer.ui.sheet.templates import templates
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import current_theme, theme_signals
from explorer.ui.theme.text_roles import in_role

EMPTY = N_(
    "Nothing is on the sheet yet.\n\nAdd what a page shows: the export button in "
    "its corner, “Add to the comparison sheet”. Or begin from a template."
)

LEAST = 0.35
"""A smaller picture of the sheet could not be read; it scrolls instead."""
RESIZE_PAUSE_MS = 120


@guarded
class SheetDialog(QDialog):
    """Beside the window, not before it: answers can be added while it is open.

    Attributes:
        files: Asks where to save; over this window, which has the keyboard again after it.

    Signals:
        save_wanted: The title and the entries.
        template_wanted: A template's name.
        changed: There is another title, another entry, or another order.
    """

    save_wanted = Signal(str, object)
    template_wanted = Signal(str)
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sheet_dialog")
        self.setWindowTitle(_("Comparison sheet"))
        self.entries: list[SheetEntry] = []
        self._place: QPoint | None = None
        self.title = QLineEdit(_("Comparison"), self)
        self.title.setObjectName("sheet_title")
        self.title.setAccessibleName(_("Title of the sheet"))
        self.title.editingFinished.connect(self._draw)
        self.title.textChanged.connect(self.changed)
        self.list = self._make_list()
        self.template = self._template_button()
        self.remove = self._button("sheet_remove", _("Remove"), self._remove_chosen)
        self.clear = self._button("sheet_clear", _("Clear"), self._clear)
        self.copy = self._button("sheet_copy", _("Copy picture"), self._copy)
        self.code = self._button("sheet_code", _("Copy as Python"), self._copy_programs)
        self.save = self._button("sheet_save", _("Save…"), self._save)
        self.save.setProperty("primary", "true")
        self.save.setDefault(True)
        self.preview = plain_label(self)
        self.preview.setObjectName("sheet_preview")
        self.preview.setAccessibleName(_("The sheet"))
        self.preview.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.empty = plain_label(self, _(EMPTY))
        in_role(self.empty, "muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setMargin(40)
        self.area = QScrollArea(self)
        self.pages = QStackedWidget(self)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(RESIZE_PAUSE_MS)
        self._settled.timeout.connect(self._draw)
        self.said = plain_label(self)
        self.said.setObjectName("sheet_said")
        self.said.setWordWrap(True)
        in_role(self.said, "small")
        self.files = FileDialogs(self)
        self._lay_out()
        theme_signals().changed.connect(self._theme_changed)
        self.resize(1120, 760)
        self._show_entries()

    def add(self, entry: SheetEntry) -> None:
        """Put an answer at the end."""
        self.entries.append(entry)
        self._show_entries(len(self.entries) - 1)

    def show_sheet(self, title: str, entries: Sequence[SheetEntry]) -> None:
        """Show a template's answers in the place of what is there."""
        self.title.setText(title)
        self.entries = list(entries)
        self._show_entries()

    def take_over(self, other: "SheetDialog") -> None:
        """Go on with another sheet's answers, in its place."""
        if other.title.isModified() or other.entries:
            self.title.setText(other.title.text())
        self.entries = list(other.entries)
        self._show_entries(other.list.currentRow())
        self.setGeometry(other.geometry())
        self.setVisible(other.isVisible())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The sheet is shown as wide as there is room, once the resizing pauses."""
        super().resizeEvent(event)
        self._settled.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Know where it was: Qt would put it there without its frame, a title bar lower."""
        if not event.spontaneous():
            self._place = self.pos()
        super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Come up where it was closed."""
        if not event.spontaneous() and self._place is not None:
            self.move(self._place)
        super().showEvent(event)

    # ---- making ------------------------------------------------------------------------------

    def _make_list(self) -> QListWidget:
        entries = QListWidget(self)
        entries.setObjectName("sheet_entries")
        entries.setAccessibleName(_("Answers on the sheet"))
        entries.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        entries.setToolTip(_("Drag to change the order; Delete takes one off"))
        entries.setWordWrap(True)
        entries.setSpacing(3)
        entries.model().rowsMoved.connect(lambda *_: self._reordered())
        QShortcut(QKeySequence(Qt.Key.Key_Delete), entries, self._remove_chosen)
        return entries

    def _template_button(self) -> MenuButton:
        button = MenuButton(self)
        button.setObjectName("sheet_templates")
        button.setText(_("Templates"))
        button.setAccessibleName(_("Begin from a template"))
        button.setIcon(icon("view-grid-plus-outline", "text"))
        icon_in_size(button)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        for template in templates():
            action = menu.addAction(menu_text(_(template.title)))
            action.setObjectName(f"template_{template.name}")
            action.setToolTip(plain_tip(_(template.explanation)))
            action.setData(template.name)
        menu.triggered.connect(lambda action: self.template_wanted.emit(action.data()))
        button.opens(menu)
        return button

    def _button(self, name: str, text: str, does: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(does)
        return button

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.addWidget(self.title)
        left.addWidget(self.template)
        left.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.addWidget(self.remove)
        row.addWidget(self.clear)
        left.addLayout(row)
        self.area.setWidget(self.preview)
        self.area.setWidgetResizable(True)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.area)
        below = QHBoxLayout()
        below.addWidget(self.said, 1)
        below.addWidget(self.code)
        below.addWidget(self.copy)
        below.addWidget(self.save)
        right = QVBoxLayout()
        right.addWidget(self.pages, 1)
        right.addLayout(below)
        columns = QHBoxLayout(self)
        columns.addLayout(left, 3)
        columns.addLayout(right, 8)

    # ---- the entries -------------------------------------------------------------------------

    def say(self, words: str) -> None:
        """How it went with the file; said until there is something else on the sheet."""
        self.said.setText(words)

    def _show_entries(self, chosen: int = -1) -> None:
        self.say("")
        self.list.clear()
        for number, entry in enumerate(self.entries):
            self.list.addItem(entry.title)
            self.list.item(number).setData(Qt.ItemDataRole.UserRole, number)
        self.list.setCurrentRow(chosen)
        self._draw()
        self.changed.emit()

    def _reordered(self) -> None:
        order = [
            self.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(self.list.count())
        ]
        if sorted(order) == list(range(len(self.entries))):
            self.entries = [self.entries[number] for number in order]
            self._show_entries(self.list.currentRow())

    def _remove_chosen(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self.entries):
            del self.entries[row]
            self._show_entries(min(row, len(self.entries) - 1))

    def _clear(self) -> None:
        self.entries = []
        self._show_entries()

    # ---- what comes of it --------------------------------------------------------------------

    def _draw(self) -> None:
        for button in (self.remove, self.clear, self.code, self.copy, self.save):
            button.setEnabled(bool(self.entries))
        self.pages.setCurrentIndex(1 if self.entries else 0)
        if not self.entries:
            self.preview.clear()
            return
        ratio = self.devicePixelRatioF()
        room = self.area.viewport().width() / sheet_width(len(self.entries))
        picture = QPixmap.fromImage(self._image(min(1.0, max(LEAST, room)) * ratio))
        picture.setDevicePixelRatio(ratio)
        self.preview.setPixmap(picture)

    def _theme_changed(self, _theme: object) -> None:
        self._draw()

    def _image(self, scale: float) -> QImage:
        return sheet_image(self.title.text(), self.entries, current_theme().scheme, scale)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setImage(self._image(2.0))

    def _copy_programs(self) -> None:
        asked = (asked_in(one.page.of, one.origin, one.shown) for one in self.entries)
        copy_programs([one for one in asked if one is not None])

    def _save(self) -> None:
        self.save_wanted.emit(self.title.text(), tuple(self.entries))
