"""What becomes of a training when the window is closed: it continues, or is paused; asked once."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from explorer.api.question import ExplorerError
from explorer.learning.experiments.claim_folder import claims_in
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.trainings import Trainings
from explorer.text import _

if TYPE_CHECKING:
    from explorer.ui.workbench.workbench import Workbench

ASK, CONTINUE, PAUSE = "ask", "continue", "pause"


class TrainingAtClose(QObject):
    """Looks whether something is being trained when a window is to be closed."""

    def __init__(self, bench: "Workbench", window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._window = bench, window
        self._is_settled = False

    def may_close(self) -> bool:
        """Whether the window may go now; else it closes itself once its user has chosen."""
        if self._is_settled or not (runs := self._at_work()):
            return True
        wanted = self._bench.settings_store.settings.training_at_close
        if wanted == ASK:
            self._ask(runs)
            return False
        self._settle(runs, wanted)
        return True

    def _at_work(self) -> list[RunFolder]:
        if self._bench.program is None:
            return []
        trainings = Trainings.of(self._bench.program.paths)
        # Without the process that trains, nothing is: one look at a lock, and no run is read.
        if not trainings.is_at_work:
            return []
        every = (*trainings.list(), *claims_in(trainings.folder))
        return [one for one in every if not one.state.status.is_resting]

    def _settle(self, runs: list[RunFolder], wanted: str) -> None:
        self._is_settled = True
        if wanted != PAUSE:
            return
        for one in runs:
            try:
                Trainings(one.place.parent, one.place.parent).pause(one)
            except ExplorerError:
                continue  # it has gone meanwhile

    def _ask(self, runs: list[RunFolder]) -> None:
        box = QMessageBox(self._window)
        box.setObjectName("training_question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(_("A model is being trained"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(_("{name} is being trained.", name=runs[0].name))
        box.setInformativeText(
            _(
                "It can continue without the window, or be paused: then it is taken up again where "
                "it was."
            )
        )
        remembered = QCheckBox(_("Do the same next time"), box)
        remembered.setObjectName("training_remembered")
        remembered.setChecked(True)
        box.setCheckBox(remembered)
        goes_on = box.addButton(_("&Continue"), QMessageBox.ButtonRole.AcceptRole)
        goes_on.setObjectName("training_continues")
        pauses = box.addButton(_("&Pause"), QMessageBox.ButtonRole.DestructiveRole)
        pauses.setObjectName("training_pauses")
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(goes_on)

        def chosen() -> None:
            clicked = box.clickedButton()
            if clicked not in (goes_on, pauses):
                return
            wanted = CONTINUE if clicked is goes_on else PAUSE
            if remembered.isChecked():
                self._bench.settings_store.change(training_at_close=wanted)
            self._settle(runs, wanted)
            self._window.close()

        box.finished.connect(lambda _: chosen())
        box.finished.connect(box.deleteLater)
        box.open()
