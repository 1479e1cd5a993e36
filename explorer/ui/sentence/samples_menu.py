"""The samples as a menu: those that are made for a page stand under its title."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from explorer.questions import all_questions
from explorer.samples.sample_files import Sample
from explorer.samples.samples import samples
from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.notices.wording import menu_text


class SamplesMenu(QMenu):
    """Each of its menus is filled when it is first opened.

    Many starts open none, and a submenu for every page is a tenth of what a window is made of.

    Signals:
        taken: The Sample that was chosen.
    """

    taken = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("samples_menu")
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        if not self.isEmpty():
            return
        of_pages: dict[str, list[Sample]] = {}
        for sample in samples():
            if not sample.view:
                self._add(self, sample)
            elif sample.view in of_pages:
                of_pages[sample.view].append(sample)
            else:
                of_pages[sample.view] = [sample]
                self._submenu(sample.view, of_pages[sample.view])

    def _submenu(self, question: str, made_for_it: list[Sample]) -> None:
        menu = self.addMenu(menu_text(_(all_questions()[question].title)))
        menu.setObjectName(f"samples_{question}")
        menu.setToolTipsVisible(True)

        def fill() -> None:
            if menu.isEmpty():
                for sample in made_for_it:
                    self._add(menu, sample)

        menu.aboutToShow.connect(fill)

    def _add(self, menu: QMenu, sample: Sample) -> None:
        entry = QAction(menu_text(_(sample.title)), menu)
        entry.setToolTip(plain_tip(sample.text))
        entry.triggered.connect(partial(self._take, sample))
        menu.addAction(entry)

    def _take(self, sample: Sample, _checked: bool = False) -> None:
        self.taken.emit(sample)
