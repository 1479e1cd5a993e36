"""Export table: which one, in what form, and where it says how it came about."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import Table
from explorer.export_choices import TableChoice
from explorer.sessions.export.tables import safe_cell
from explorer.text import N_, _, ngettext
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded

FORMS = (("csv", N_("CSV table")), ("json", N_("JSON table")))
CAPTIONS = (
    ("file", N_("In a second file (name.caption.txt)")),
    ("comment", N_("In the first line, after #")),
    ("none", N_("Left out")),
)
SEEN = 12
"""Rows in the preview."""


@guarded
class TableDialog(QDialog):
    """Choose and see.

    Signals:
        save_wanted: A Table and a TableChoice.
    """

    save_wanted = Signal(object, object)

    def __init__(
        self,
        title: str,
        tables: dict[str, Table],
        choice: TableChoice,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("tableDialog")
        self.setWindowTitle(_("Export table: {title}", title=title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._tables, self._own = list(tables.values()), choice
        self.which = QComboBox(self)
        self.which.addItems(list(tables))
        self.form = QComboBox(self)
        for form, words in FORMS:
            self.form.addItem(_(words), form)
        self.form.setCurrentIndex(self.form.findData(choice.form))
        self.caption = QComboBox(self)
        for place, words in CAPTIONS:
            self.caption.addItem(_(words), place)
        self.caption.setCurrentIndex(self.caption.findData(choice.caption))
        self.caption.setToolTip(
            _("How the answer came about. In the first line, programs have to skip it.")
        )
        self._fields = QFormLayout()
        self._fields.addRow(_("&Table"), self.which)
        self._fields.addRow(_("&Format"), self.form)
        self._fields.addRow(_("&Caption"), self.caption)
        self._fields.setRowVisible(self.which, len(tables) > 1)
        self.rows = QTableWidget(self)
        self.rows.setObjectName("tablePreview")
        self.rows.setAccessibleName(_("Preview"))
        self.rows.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.rows.verticalHeader().hide()
        header = self.rows.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.said = plain_label(self)
        self.buttons = QDialogButtonBox(self)
        self.save = self.buttons.addButton(_("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.save.clicked.connect(lambda: self.save_wanted.emit(self.table, self.choice))
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(self._fields)
        column.addWidget(self.rows, 1)
        column.addWidget(self.said)
        column.addWidget(self.buttons)
        self.which.currentIndexChanged.connect(self._show_rows)
        self.form.currentIndexChanged.connect(self._show_fields)
        self._show_fields()
        self._show_rows()
        self.resize(760, 480)

    @property
    def table(self) -> Table:
        """The one that was chosen."""
        return self._tables[max(self.which.currentIndex(), 0)]

    @property
    def choice(self) -> TableChoice:
        """As the fields say."""
        form, caption = self.form.currentData(), self.caption.currentData()
        return replace(self._own, form=form, caption=caption)

    def _show_fields(self) -> None:
        self._fields.setRowVisible(self.caption, self.choice.form == "csv")

    def _show_rows(self) -> None:
        table = self.table
        seen = table.rows[:SEEN]
        self.rows.setColumnCount(len(table.columns))
        self.rows.setRowCount(len(seen))
        for at, (name, title) in enumerate(zip(table.columns, table.headings, strict=True)):
            head = QTableWidgetItem(title)
            if title != name:
                head.setToolTip(plain_tip(_("“{name}” in the file.", name=name)))
            self.rows.setHorizontalHeaderItem(at, head)
        for at, row in enumerate(seen):
            for column, cell in enumerate(row):
                item = QTableWidgetItem(safe_cell(cell))
                if isinstance(cell, int | float) and not isinstance(cell, bool):
                    side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    item.setTextAlignment(side)
                self.rows.setItem(at, column, item)
        self.said.setText(ngettext("{count} row.", "{count} rows.", len(table.rows)))
