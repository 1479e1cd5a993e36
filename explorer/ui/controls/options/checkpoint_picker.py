"""Chooses one of all checkpoints that are known, whether or not their weights are here."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QWidget,
)

from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import theme_signals

NARROWEST, WIDEST = 150, 400
"""Pixels, before any zoom."""


MARGIN = 2
"""Pixels that Qt keeps free at both sides of a field's letters."""


@guarded
class NameField(QLineEdit):
    """A field whose text ends in dots where there is no room for it, until it is typed into."""

    @property
    def shown(self) -> str:
        """What is read of its text."""
        metrics, room = self.fontMetrics(), self._place().width()
        if self.hasFocus() or metrics.horizontalAdvance(self.text()) <= room:
            return self.text()
        return metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's own would cut a letter in two."""
        shown = self.shown
        if shown == self.text():
            super().paintEvent(event)
            return
        option = self._option()
        painter = QPainter(self)
        panel = QStyle.PrimitiveElement.PE_PanelLineEdit
        self.style().drawPrimitive(panel, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        side = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._place(), side, shown)

    def _option(self) -> QStyleOptionFrame:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        return option

    def _place(self) -> QRect:
        """Where its letters stand."""
        inside = QStyle.SubElement.SE_LineEditContents
        place = self.style().subElementRect(inside, self._option(), self)
        return place.adjusted(MARGIN, 0, -MARGIN, 0)


@guarded
class CheckpointPicker(QComboBox):
    """A list that can be typed into; what is typed may also be a folder or a config.json.

    Signals:
        chosen: A checkpoint's id, or "" for the model that is loaded.
    """

    chosen = Signal(str)

    def __init__(self, name: str, spoken: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        tip = _(
            "{spoken}: choose one, or type its name, a folder, or the path of a config.json",
            spoken=spoken,
        )
        self.setToolTip(plain_tip(tip))
        self.setLineEdit(NameField(self))
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        # A title and whether it is loaded are read whole where there is room.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(NARROWEST)
        theme_signals().changed.connect(self._fit)
        self._fit()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(26)
        self.setMaxVisibleItems(24)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.setCompleter(completer)
        self._clicked_into = False
        self._first = ""
        self._known: tuple[tuple[str, str], ...] = ()
        self._chosen = ""
        self.activated.connect(lambda index: self._choose(str(self.itemData(index))))
        line = self.lineEdit()
        if line is not None:
            line.returnPressed.connect(self._typed)
            line.setPlaceholderText(_("A model, a folder, or a config.json"))
            line.installEventFilter(self)

    def set_first(self, words: str) -> None:
        """What the first entry says: the loaded model; "" where none is."""
        if words != self._first:
            self._first = words
            self._fill()

    def set_choices(self, known: Iterable[tuple[str, str]]) -> None:
        """Offer checkpoints: id and title of each."""
        choices = tuple(known)
        if choices != self._known:
            self._known = choices
            self._fill()

    def show_choice(self, checkpoint_id: str) -> None:
        """Show what is chosen, without telling."""
        if checkpoint_id != self._chosen:
            self._chosen = checkpoint_id
            self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A first click takes all of it: what is typed then is another name, not a part of this."""
        line, into = self.lineEdit(), self._clicked_into
        if event.type() == QEvent.Type.MouseButtonRelease and watched is line and into:
            self._clicked_into = False
            if line is not None and not line.hasSelectedText():
                line.selectAll()
        return super().eventFilter(watched, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The click that brings it comes after it."""
        super().focusInEvent(event)
        self._clicked_into = event.reason() == Qt.FocusReason.MouseFocusReason

    def _fit(self, _theme: object = None) -> None:
        """As many letters have room in large ones."""
        self.setMaximumWidth(zoomed(WIDEST))

    def _fill(self) -> None:
        with QSignalBlocker(self):
            self.clear()
            if self._first:
                self.addItem(self._first, "")
            for name, title in self._known:
                self.addItem(title if title == name else f"{title} · {name}", name)
        self._show()

    def _show(self) -> None:
        with QSignalBlocker(self):
            index = self.findData(self._chosen)
            self.setCurrentIndex(index)
            if index < 0:
                self.setEditText(self._chosen)
        line = self.lineEdit()
        if line is not None:
            line.setCursorPosition(0)

    def _typed(self) -> None:
        text = self.currentText().strip()
        index = self.findText(text)
        line = self.lineEdit()
        if line is not None:
            line.setModified(False)
        self._choose(str(self.itemData(index)) if index >= 0 else text)

    def _choose(self, name: str) -> None:
        if name != self._chosen:
            self._chosen = name
            self.chosen.emit(name)
