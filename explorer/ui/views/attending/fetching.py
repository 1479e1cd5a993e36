"""The chosen heads in full: asked for where they are not known, drawn when all have come."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from explorer.api import Failure
from explorer.questions.attention.attention.question import AttentionResult
from explorer.ui.blocks.shown import Detail

KEPT = 24
"""Answers kept; those of 512 tokens take a megabyte a head."""


class Fetching:
    """Heads of now, and of the pinned answer.

    Attributes:
        now: The heads that are chosen; None until they have come, or where they can't.
        before: The pinned answer's; None without one.
        why: What went wrong; "" where nothing did.
    """

    def __init__(self, want: Callable[[Detail], None], draw: Callable[[], None]) -> None:
        self._want = want
        self._draw = draw
        self._kept: OrderedDict[Any, AttentionResult] = OrderedDict()
        self._wanted: dict[str, Detail] = {}
        self._waiting: set[str] = set()
        self._asking = False
        self.now: AttentionResult | None = None
        self.before: AttentionResult | None = None
        self.why = ""

    @property
    def is_idle(self) -> bool:
        """Nothing is under way."""
        return not self._waiting

    def fetch(self, now: Detail, before: Detail | None) -> None:
        """Bring heads, and draw once all are there."""
        wanted = {one.lane: one for one in (now, before) if one is not None}
        if self._waiting and wanted == self._wanted:
            return
        self._wanted = wanted
        missing = [one for one in wanted.values() if _key(one) not in self._kept]
        self._waiting = {one.lane for one in missing}
        self.why = ""
        # Who is asked may fail at once; drawing then waits until everything was asked.
        self._asking = True
        for detail in missing:
            self._want(detail)
        self._asking = False
        self._finish()

    def take(self, detail: Detail, result: AttentionResult) -> None:
        """Heads have come."""
        self._kept[_key(detail)] = result
        self._kept.move_to_end(_key(detail))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        self._arrived(detail)

    def fail(self, detail: Detail, failure: Failure) -> None:
        """Heads can't come."""
        if self._wanted.get(detail.lane) == detail:
            self.why = failure.said
        self._arrived(detail)

    def _arrived(self, detail: Detail) -> None:
        if self._wanted.get(detail.lane) == detail:
            self._waiting.discard(detail.lane)
            if not self._asking:
                self._finish()

    def _finish(self) -> None:
        if self._waiting:
            return
        self.now, self.before = (self._known(lane) for lane in ("now", "before"))
        self._draw()

    def _known(self, lane: str) -> AttentionResult | None:
        detail = self._wanted.get(lane)
        return self._kept.get(_key(detail)) if detail is not None else None


def _key(detail: Detail) -> Any:
    return detail.model, detail.request
