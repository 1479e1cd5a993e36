"""Export picture: its size, what it shows, and what will come of it, before it is saved."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import UserMistake
from explorer.export_choices import (
    MILLIMETRES,
    NARROWEST,
    PICTURE_FIELDS,
    SLIDE_HEIGHT,
    WIDEST,
    Form,
    PictureChoice,
)
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal
from explorer.ui.controls.options.number_fields import number_field
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.export.devices import INCH, figure_image
from explorer.ui.export.figure_parts import FigurePart, parts_of
from explorer.ui.export.files import LeftOut, picture_of
from explorer.ui.export.paper import PaperPicture
from explorer.ui.guarded import guarded
from explorer.ui.views.page_view import PageView

FORMS: tuple[tuple[Form, str], ...] = (("pdf", "PDF"), ("svg", "SVG"), ("png", "PNG"))
SIZES = (
    ("screen", N_("As on screen")),
    ("column", N_("One column ({width} mm)")),
    ("columns", N_("Two columns ({width} mm)")),
    ("slide", N_("Slide ({width} × {height} mm)")),
    ("own", N_("Another width")),
)
RESTING_MS = 120
"""After the last change the preview is drawn."""
LARGEST = 2.0
"""Of the preview: pixels for a pixel at the size on paper."""


@guarded
class PictureDialog(QDialog):
    """Choose and see.

    Signals:
        save_wanted: A PictureChoice and the keys of the parts that are left out, or None where
            nobody chose and as many are shown as a figure holds: into a file.
        copy_wanted: The same, onto the clipboard.
        changed: The same, whenever it is another.
    """

    save_wanted = Signal(object, object)
    copy_wanted = Signal(object, object)
    changed = Signal(object, object)

    def __init__(
        self,
        view: PageView,
        choice: PictureChoice,
        off: LeftOut = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pictureDialog")
        self.setWindowTitle(_("Export picture: {title}", title=view.title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._view, self._own = view, choice
        self._printed: PaperPicture | None = None
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(RESTING_MS)
        self._resting.timeout.connect(self._draw)
        self._make_fields(choice)
        self._is_chosen = off is not None
        self._make_parts(frozenset(off or ()))
        self._lay_out()
        self._show_fields()
        self._draw()
        self.resize(980, 640)

    # ---- fields ------------------------------------------------------------------------------

    def _make_fields(self, choice: PictureChoice) -> None:
        self.form = QComboBox(self)
        for value, title in FORMS:
            self.form.addItem(title, value)
        self.form.setCurrentIndex(self.form.findData(choice.form))
        self.size_field = QComboBox(self)
        for size, words in SIZES:
            width = decimal(MILLIMETRES.get(size, 0.0), 0)
            title = _(words, width=width, height=decimal(SLIDE_HEIGHT, 0))
            self.size_field.addItem(title, size)
        self.size_field.setCurrentIndex(self.size_field.findData(choice.size))
        self.also = {form: QCheckBox(title, self) for form, title in FORMS}
        for form, box in self.also.items():
            box.setChecked(form in choice.also)
            box.toggled.connect(self._change)
        self.millimetres = self._number(choice.millimetres, NARROWEST, WIDEST, 1.0, _(" mm"))
        self.numbers: dict[str, QDoubleSpinBox] = {}
        self.switches: dict[str, QCheckBox] = {}
        for field in PICTURE_FIELDS:
            value = getattr(choice, field.name)
            if field.is_switch:
                box = QCheckBox(_(field.label), self)
                box.setChecked(value)
                if field.tip:
                    box.setToolTip(plain_tip(_(field.tip)))
                box.toggled.connect(self._change)
                self.switches[field.name] = box
            else:
                unit = _(field.unit) if field.unit else ""
                number = self._number(value, field.low, field.high, field.step, unit)
                number.setDecimals(0 if isinstance(value, int) else 1)
                self.numbers[field.name] = number
        for combo in (self.form, self.size_field):
            combo.currentIndexChanged.connect(self._change)

    def _number(
        self, value: float, low: float, high: float, step: float, unit: str
    ) -> QDoubleSpinBox:
        field = number_field(self)
        field.setKeyboardTracking(True)
        field.setDecimals(1)
        field.setRange(low, high)
        field.setSingleStep(step)
        field.setSuffix(unit)
        field.setValue(value)
        field.valueChanged.connect(self._change)
        return field

    def _make_parts(self, off: frozenset[str]) -> None:
        shown = self._view.shown(beside=True)
        self._has_twin = shown is not None and shown.twin is not None
        parts = parts_of(self._view.declared, shown) if shown is not None else ()
        self.parts = QTreeWidget(self)
        self.parts.setObjectName("pictureParts")
        self.parts.setAccessibleName(_("What the picture shows"))
        self.parts.setHeaderHidden(True)
        # Rows keep the height they are first measured at, so the theme has to be there by then.
        self.parts.ensurePolished()
        self._leaves: dict[str, QTreeWidgetItem] = {}
        self._keys: dict[str, str] = {}
        root = self.parts.invisibleRootItem()
        for part in parts:
            self._add(root, part, off)
        self.parts.expandAll()
        first = self.parts.topLevelItem(0)
        if first is not None:
            self.parts.setCurrentItem(first)
        self.parts.itemChanged.connect(self._choose_parts)

    def _add(self, above: QTreeWidgetItem, part: FigurePart, off: frozenset[str]) -> None:
        item = QTreeWidgetItem(above, [part.title])
        told = _("{title}; on the command line: --part {key}", title=part.title, key=part.key)
        item.setToolTip(0, plain_tip(told))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        if part.inside:
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsAutoTristate)
            for one in part.inside:
                self._add(item, one, off)
            return
        on = part.key not in off
        item.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self._leaves[part.key], self._keys[part.path] = item, part.key

    def _lay_out(self) -> None:
        fields = QFormLayout()
        self._fields = fields
        fields.addRow(_("&Format"), self.form)
        also = QHBoxLayout()
        for box in self.also.values():
            also.addWidget(box)
        also.addStretch(1)
        fields.addRow(_("Also as"), also)
        fields.addRow(_("&Width"), self.size_field)
        fields.addRow(_("&Millimetres"), self.millimetres)
        for field in PICTURE_FIELDS:
            if field.is_switch:
                fields.addRow(self.switches[field.name])
            else:
                fields.addRow(_(field.label), self.numbers[field.name])
        shows = plain_label(self, _("S&hows"))
        shows.setBuddy(self.parts)
        self.buttons = QDialogButtonBox(self)
        role = QDialogButtonBox.ButtonRole
        self.save = self.buttons.addButton(_("&Save…"), role.AcceptRole)
        self.save.setDefault(True)
        self.copy = self.buttons.addButton(_("Co&py"), role.ActionRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.save.clicked.connect(lambda: self.save_wanted.emit(self.choice, self.off))
        self.copy.clicked.connect(lambda: self.copy_wanted.emit(self.choice, self.off))
        self.buttons.rejected.connect(self.reject)
        self.preview = plain_label(self)
        self.preview.setObjectName("picturePreview")
        self.preview.setAccessibleName(_("Preview"))
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.area = QScrollArea(self)
        self.area.setWidget(self.preview)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.said = plain_label(self)
        self.said.setObjectName("pictureSize")
        self.said.setWordWrap(True)
        left = QVBoxLayout()
        left.addWidget(self.area, 1)
        left.addWidget(self.said)
        right = QVBoxLayout()
        right.addLayout(fields)
        right.addWidget(shows)
        right.addWidget(self.parts, 1)
        right.addWidget(self.buttons)
        both = QHBoxLayout(self)
        both.addLayout(left, 3)
        both.addLayout(right, 2)
        self.form.setFocus()

    # ---- what is chosen ----------------------------------------------------------------------

    @property
    def choice(self) -> PictureChoice:
        """As the fields say."""
        form = self.form.currentData()
        return replace(
            self._own,
            form=form,
            size=self.size_field.currentData(),
            millimetres=self.millimetres.value(),
            also=tuple(one for one, box in self.also.items() if box.isChecked() and one != form),
            dpi=round(self.numbers["dpi"].value()),
            points=self.numbers["points"].value(),
            **{name: box.isChecked() for name, box in self.switches.items()},
        )

    @property
    def off(self) -> frozenset[str] | None:
        """Keys of the parts that are left out; None as long as nobody chose."""
        if not self._is_chosen:
            return None
        unchecked = Qt.CheckState.Unchecked
        return frozenset(k for k, item in self._leaves.items() if item.checkState(0) == unchecked)

    def show_parts(self, titles: Iterable[str]) -> None:
        """Choose parts by their titles alone."""
        wanted = set(titles)
        for item in self._leaves.values():
            on = item.text(0) in wanted
            item.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def _choose_parts(self) -> None:
        self._is_chosen = True
        self._change()

    def _show_what_fits(self, off: Collection[str]) -> None:
        """Tick what a figure holds, where nobody chose."""
        gone = {self._keys[path] for path in off if path in self._keys}
        with QSignalBlocker(self.parts):
            for key, item in self._leaves.items():
                on = key not in gone
                item.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def _change(self) -> None:
        self._show_fields()
        self.changed.emit(self.choice, self.off)
        self._resting.start()

    def _show_fields(self) -> None:
        choice = self.choice
        self._fields.setRowVisible(self.millimetres, choice.size == "own")
        forms = {choice.form, *choice.also}
        self._fields.setRowVisible(self.numbers["points"], choice.size != "screen")
        self._fields.setRowVisible(self.numbers["dpi"], "png" in forms)
        self._fields.setRowVisible(self.switches["outlines"], forms != {"png"})
        self._fields.setRowVisible(self.switches["both"], self._has_twin)
        for form, box in self.also.items():
            box.setVisible(form != choice.form)

    # ---- what comes of it --------------------------------------------------------------------

    def _draw(self) -> None:
        """Lay it out and show it."""
        choice, off = self.choice, self.off
        try:
            made = picture_of(self._view, choice, off)
        except UserMistake as mistake:
            self._printed = None
            self.preview.setText(f"{mistake.said}")
            self.said.setText("")
        else:
            self._printed = made
            if off is None:
                self._show_what_fits(made.off)
            self.said.setText(self._words(made, choice))
            self._show_picture()
        self.save.setEnabled(self._printed is not None)
        self.copy.setEnabled(self._printed is not None)

    def _words(self, made: PaperPicture, choice: PictureChoice) -> str:
        said = _(
            "{width} × {height} mm, the smallest type {points} points.",
            width=decimal(made.width, 0),
            height=decimal(made.height, 0),
            points=decimal(made.points, 1),
        )
        if choice.form == "png":
            wide, high = (round(one / INCH * choice.dpi) for one in (made.width, made.height))
            said += " " + _("{wide} × {high} pixels.", wide=wide, high=high)
        if not made.fits:
            said += " " + made.too_high(choice)
        elif made.left_out and not self._is_chosen:
            said += " " + _("The parts without a tick would make it higher than a figure.")
        return said

    def _show_picture(self) -> None:
        made = self._printed
        if made is None:
            return
        ratio = self.devicePixelRatioF()
        room = self.area.viewport().width() - 24
        on_paper = made.width / INCH * 96
        scale = max(min(room / on_paper, LARGEST), 0.1)
        image = figure_image(made.figure, 96 * scale * ratio, made.millimetres)
        image.setDevicePixelRatio(ratio)
        self.preview.setPixmap(QPixmap.fromImage(image))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The preview is as wide as there is room."""
        super().resizeEvent(event)
        self._resting.start()

    def sizeHint(self) -> QSize:
        """Large enough for a preview that can be read."""
        return QSize(980, 640)
