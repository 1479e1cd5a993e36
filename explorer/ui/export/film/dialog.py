"""Export film: as what, how large, how fast."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from explorer.export_choices import MILLIMETRES, SLIDE_HEIGHT, PictureChoice
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import decimal
from explorer.ui.controls.options.number_fields import number_field
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.export.film.kinds import (
    FOLDER,
    GET_VIDEO,
    GIF,
    NO_VIDEO,
    PAGE,
    VIDEO,
    video_program,
)
from explorer.ui.export.picture_dialog import SIZES
from explorer.ui.guarded import guarded
from explorer.ui.theme.text_roles import in_role

KINDS = (
    (GIF, N_("GIF")),
    (VIDEO, N_("MP4")),
    (PAGE, N_("A page of HTML that plays")),
    (FOLDER, N_("Numbered SVGs, in a folder")),
)
"""What a film can be, and what it is called."""
FASTEST, SLOWEST = 0.1, 10.0
"""Seconds a frame."""
WIDTH = 460
"""Pixels."""


@guarded
class FilmDialog(QDialog):
    """Choose.

    Args:
        title: Of the page.
        count: Frames of the film.
        kind: What was chosen the last time, as `kinds` calls it.
        choice: How pages become pictures.
        seconds: That a frame is shown.

    Signals:
        save_wanted: A kind, a PictureChoice and the seconds of a frame.
    """

    save_wanted = Signal(str, object, float)

    def __init__(
        self,
        title: str,
        count: int,
        kind: str,
        choice: PictureChoice,
        seconds: float,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("film_dialog")
        self.setWindowTitle(_("Export film: {title}", title=title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._choice = choice
        about = plain_label(
            self,
            ngettext(
                "The page at {count} step of the training, on the same scales.",
                "The page at {count} steps of the training, on the same scales.",
                count,
            ),
        )
        about.setWordWrap(True)
        self.kinds = QComboBox(self)
        for name, words in KINDS:
            self.kinds.addItem(_(words), name)
        has_video = bool(video_program())
        can_be = has_video or kind != VIDEO
        self.kinds.setCurrentIndex(self.kinds.findData(kind if can_be else GIF))
        self.sizes = QComboBox(self)
        for size, words in SIZES[:-1]:
            width = decimal(MILLIMETRES.get(size, 0.0), 0)
            said = _(words, width=width, height=decimal(SLIDE_HEIGHT, 0))
            self.sizes.addItem(said, size)
        self.sizes.setCurrentIndex(max(0, self.sizes.findData(choice.size)))
        self.seconds = self._seconds(seconds)
        self.caption = QCheckBox(_("&Caption below: how the answer came about"), self)
        self.caption.setChecked(choice.caption)
        self.dark = QCheckBox(_("&Dark ground"), self)
        self.dark.setChecked(choice.dark)
        fields = QFormLayout()
        fields.addRow(_("&Format"), self.kinds)
        fields.addRow(_("&Width"), self.sizes)
        fields.addRow(_("&Seconds a frame"), self.seconds)
        fields.addRow(self.caption)
        fields.addRow(self.dark)
        told = _("The model is loaded once more for this, in a process of its own.")
        if not has_video:
            item_model = self.kinds.model()
            if isinstance(item_model, QStandardItemModel):
                item_model.item(self.kinds.findData(VIDEO)).setEnabled(False)
            told = f"{_(NO_VIDEO)} {_(GET_VIDEO)} {told}"
        self.told = plain_label(self, told)
        self.told.setWordWrap(True)
        in_role(self.told, "small")
        self._lay_out(about, fields)

    def _seconds(self, seconds: float) -> QDoubleSpinBox:
        field = number_field(self)
        field.setDecimals(1)
        field.setRange(FASTEST, SLOWEST)
        field.setSingleStep(0.1)
        field.setValue(seconds)
        return field

    def _lay_out(self, about: QWidget, fields: QFormLayout) -> None:
        buttons = QDialogButtonBox(self)
        self.save = buttons.addButton(_("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.save.clicked.connect(self._save)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(about)
        column.addLayout(fields)
        column.addWidget(self.told)
        column.addStretch(1)
        column.addWidget(buttons)
        # As high as its lines are at that width; a hint knows another one.
        self.resize(WIDTH, column.heightForWidth(WIDTH))

    def _save(self) -> None:
        choice = replace(
            self._choice,
            size=self.sizes.currentData(),
            caption=self.caption.isChecked(),
            dark=self.dark.isChecked(),
        )
        self.save_wanted.emit(self.kinds.currentData(), choice, self.seconds.value())
        self.accept()
