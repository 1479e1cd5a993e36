"""Names of the graph's entities while one is typed: the engine looks them up, never the window."""

from PySide6.QtCore import QObject, QTimer

from explorer.engine.messages import Answer, NameEntities
from explorer.ui.guarded import guarded
from explorer.ui.library.models import ModelSlots
from explorer.ui.runs.engine_bridge import EngineBridge, Reply, nothing
from explorer.ui.sentence.tokens.strip import TokenStrip

LANE = "entity names"
PAUSE = 150
"""Milliseconds without a key after which names are looked up."""
MOST = 12
"""Names that are offered."""


@guarded
class EntityNames(QObject):
    """Offers names that begin as what is typed, a moment after the last key.

    Args:
        strip: Where they are typed.
        models: Whose graph is meant.
        bridge: To the engine.
    """

    def __init__(self, strip: TokenStrip, models: ModelSlots, bridge: EngineBridge) -> None:
        super().__init__(strip)
        self._strip, self._models, self._bridge = strip, models, bridge
        self._sought = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._look_up)
        strip.entity_sought.connect(self._seek)

    def _seek(self, beginning: str) -> None:
        self._sought = beginning.strip()
        if self._sought:
            self._timer.start()
        else:
            self._timer.stop()
            self._bridge.forget(LANE)
            self._strip.offer_entities("", ())

    def _look_up(self) -> None:
        sought, slot = self._sought, self._models.active
        if slot not in self._models.cards:
            return
        reply = Reply(
            answered=lambda answer: self._found(sought, answer),
            # What is typed is taken as it stands, with names or without.
            failed=nothing,
            stopped=nothing,
            lost=nothing,
        )
        self._bridge.submit(LANE, NameEntities(slot, sought, MOST), reply)

    def _found(self, sought: str, answer: Answer) -> None:
        if sought == self._sought:
            self._strip.offer_entities(sought, answer.result)
