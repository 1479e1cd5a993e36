"""A table of very many rows on screen: one row is chosen, nothing wraps, rows are all as high."""

from PySide6.QtCore import QAbstractItemModel
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.sentence.tokens.layout import text_height
from explorer.ui.theme.schemes import theme_signals

SAMPLE = 40
"""Rows that decide how wide a column is."""
AROUND = 10
"""Pixels of a row's height beside its letters."""


@guarded
class LongTable(QTableView):
    """Shows a model whose rows are read as they come into sight.

    Args:
        model: Of the rows.
        name: The widget's.
        spoken: What a screen reader calls it.
        parent: Its parent.
    """

    def __init__(self, model: QAbstractItemModel, name: str, spoken: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setModel(model)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(SAMPLE)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self._dress()
        theme_signals().changed.connect(self._dress)

    def _dress(self, _theme: object = None) -> None:
        self.verticalHeader().setDefaultSectionSize(round(text_height("body")) + AROUND)
        self.viewport().update()
