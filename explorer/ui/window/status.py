"""The status line: what the log says of the page, what goes on, and where models run."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QProgressBar,
    QStatusBar,
    QToolButton,
    QWidget,
)

from explorer.engine.messages import Progress, Ready
from explorer.questions import all_questions
from explorer.text import _
from explorer.text.formatting import quantities
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.library.models import Loading, ModelSlots
from explorer.ui.runs.ask_and_log import FILE_LANE
from explorer.ui.runs.engine_bridge import EngineBridge
from explorer.ui.session_log.line import LogLine
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon

SHOWN_AFTER_MS = 200
"""Work that is done sooner is not worth a flicker."""

QUIET_LANES = ("tokens", "plugins", "unload:")


class Status(QStatusBar):
    """One line: the log's at the left, work under way behind it, permanent facts at the right.

    What is told for a moment stands in the place of the log's line, and moves nothing.

    Attributes:
        line: Of the page that is shown.
        work: What goes on.
        engine: Where the model that answers runs, in which numbers, and whether that is offline.
    """

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelSlots,
        log: QDockWidget,
        parent: QWidget,
        *,
        offline: Callable[[], bool],
    ) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self._bridge = bridge
        self._models = models
        self._is_offline = offline
        self._memory_bytes = 0
        self._progress: Progress | None = None
        self.setSizeGripEnabled(False)
        self.line = LogLine(log, self)
        self.work = self._label("status_work", _("What runs now"))
        # A long name of a file leaves the window as narrow as it may be.
        self.work.setMinimumWidth(1)
        self.bar = QProgressBar(self)
        self.bar.setObjectName("status_progress")
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(120)
        self.bar.setMaximumHeight(8)
        self.stop = QToolButton(self)
        self.stop.setObjectName("status_cancel")
        self.stop.setText(_("Cancel"))
        self.stop.setIcon(icon("close-circle-outline"))
        icon_in_size(self.stop)
        self.stop.setAutoRaise(True)
        self.stop.setToolTip(_("Cancel what runs now"))
        self.stop.setAccessibleName(_("Cancel what runs now"))
        self.stop.clicked.connect(self.cancel)
        self.engine = self._label("status_engine", _("Engine"))
        self.addPermanentWidget(self.line, 1)
        for widget in (self.work, self.bar, self.stop, self.engine):
            self.addPermanentWidget(widget)
        self.messageChanged.connect(self.line.show_message)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SHOWN_AFTER_MS)
        self._later.timeout.connect(self._show_work)
        bridge.busy_changed.connect(self._busy_changed)
        bridge.progressed.connect(self._went_on)
        bridge.ready.connect(self._show_engine)
        bridge.died.connect(self._show_engine)
        bridge.memory_changed.connect(self._memory_changed)
        for changed in (models.changed, models.active_changed, models.progressed):
            changed.connect(self._show_models)
        self._show_work()
        self._show_engine()
        self._show_models()

    def cancel(self) -> None:
        """Stop everything the user waits for."""
        for lane in self._lanes():
            self._bridge.cancel(lane)

    def _label(self, name: str, spoken: str) -> QLabel:
        label = plain_label(self)
        label.setObjectName(name)
        label.setAccessibleName(spoken)
        return label

    def _lanes(self) -> list[str]:
        return [lane for lane in self._bridge.busy if not lane.startswith(QUIET_LANES)]

    def _busy_changed(self, _lanes: object) -> None:
        lanes = self._lanes()
        if self._progress is not None and self._progress.lane not in lanes:
            self._progress = None
        if not lanes:
            self._later.stop()
            self._show_work()
        elif self.stop.isHidden():
            if not self._later.isActive():
                self._later.start()
        else:
            self._show_work()

    def _went_on(self, progress: Progress) -> None:
        if progress.lane.startswith(QUIET_LANES):
            return
        self._progress = progress
        if not self.stop.isHidden():
            self._show_work()

    def _show_work(self) -> None:
        lanes = self._lanes()
        first = self._loading(lanes[0]) if lanes else None
        self.bar.setVisible(bool(lanes) and (first is None or first.ways is None))
        self.stop.setVisible(bool(lanes))
        self.work.setText(self._sentence(lanes))
        self.work.setVisible(bool(lanes) or self._bridge.latest_ready is None)
        progress = self._progress or first
        if progress is not None and progress.total > 0:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(1000 * min(1.0, progress.done / progress.total)))
        else:
            self.bar.setRange(0, 0)

    def _sentence(self, lanes: list[str]) -> str:
        if not lanes:
            return (
                _("Ready") if self._bridge.latest_ready is not None else _("Starting the engine…")
            )
        first = lanes[0]
        kind, _colon, name = first.partition(":")
        loading = self._loading(first)
        if loading is not None:
            words = {"title": loading.title, "slot": name, "stage": loading.sentence.lower()}
            text = (
                _("Loading {title} as {slot}: {stage}", **words)
                if loading.ways is None
                else _("{title} as {slot} waits: {stage}", **words)
            )
        elif kind in {"view", "detail"}:
            # Of a detail, the page that wants it.
            question = all_questions().get(name.partition(":")[0])
            text = _(question.title) if question is not None else name
        elif kind == "download":
            text = _("Downloading {name}", name=name)
        else:
            text = {
                "library": _("Reading the library"),
                "inspect": _("Reading a folder"),
                "sheet": _("Asking for the comparison sheet"),
                FILE_LANE: _("Asking every sentence of a file"),
            }.get(kind, _("Working"))
        if len(lanes) == 1:
            return text
        return _("{work} and {count} more", work=text, count=len(lanes) - 1)

    def _loading(self, lane: str) -> Loading | None:
        """What a lane loads."""
        kind, _colon, slot = lane.partition(":")
        return self._models.loading.get(slot) if kind == "load" else None

    def _memory_changed(self, count: int) -> None:
        self._memory_bytes = count
        self._show_engine()

    def _show_engine(self, _event: object = None) -> None:
        ready: Ready | None = self._bridge.latest_ready
        card = self._models.active_card
        parts = []
        if card is not None:
            parts += [card.stamp.device, card.stamp.dtype]
        elif ready is not None and ready.devices:
            parts.append(", ".join(ready.devices))
        if self._is_offline():
            parts.append(_("offline"))
        self.engine.setText(" · ".join(parts))
        tip = []
        if self._memory_bytes:
            tip.append(_("engine {memory}", memory=quantities.in_bytes(self._memory_bytes)))
        if ready is not None:
            versions = "\n".join(f"{name} {number}" for name, number in ready.versions.items())
            tip.append(
                _("Engine process {pid}\n{versions}", pid=str(ready.pid), versions=versions).strip()
            )
        self.engine.setToolTip(plain_tip("\n".join(tip)))
        if not self._lanes():
            self._show_work()

    def _show_models(self, _slot: str = "") -> None:
        self._show_engine()
        if not self.stop.isHidden():
            # A load may wait for something that the engine tells nothing of.
            self._show_work()
