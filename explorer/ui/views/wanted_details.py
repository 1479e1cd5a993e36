"""Details that a page can't be drawn without: asked for, kept, and shown once all are there."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explorer.api.question import Detail, Failure

KEPT = 24
"""Answers kept; a head of 512 tokens takes a megabyte."""


class WantedDetails:
    """Brings what a page wants.

    Args:
        want: Asks for a detail; it may fail at once.
        draw: Called when all that is wanted has come, or can't.

    Attributes:
        complete: What was wanted when all of it was there the last time.
    """

    def __init__(self, want: Callable[[Detail], None], draw: Callable[[], None]) -> None:
        self._want, self._draw = want, draw
        self._kept: OrderedDict[Detail, Any] = OrderedDict()
        self._failed: dict[Detail, Failure] = {}
        self._wanted: tuple[Detail, ...] = ()
        self._waiting: set[Detail] = set()
        self._lanes: set[str] = set()
        self._asking = False
        self._answers: object = None
        self.complete: tuple[Detail, ...] = ()

    @property
    def is_idle(self) -> bool:
        """Nothing is under way."""
        return not self._waiting

    @property
    def known(self) -> Mapping[Detail, Any]:
        """What has come, and the Failures of what could not."""
        return {**self._kept, **self._failed}

    def serve(self, want: Callable[[Detail], None], draw: Callable[[], None]) -> None:
        """Go on for another page."""
        self._want, self._draw = want, draw

    def belong_to(self, answers: object) -> None:
        """Draw nothing more that came for other answers; what came is kept for when it is wanted.

        Args:
            answers: What tells the answers that are shown from others.
        """
        if answers != self._answers:
            self.forget()
            self._answers = answers

    def forget(self) -> None:
        """Another answer is shown: nothing that was drawn belongs to it."""
        self._wanted = self.complete = ()
        self._waiting = set()
        self._failed = {}
        self._answers = None

    def fetch(self, wanted: Sequence[Detail]) -> None:
        """Bring details; `complete` tells when all are there. What failed is not tried again."""
        if self._asking or tuple(wanted) == self._wanted:
            return
        self._wanted = tuple(wanted)
        self._failed = {}
        missing = [one for one in self._wanted if one not in self._kept]
        self._waiting = set(missing)
        self._lanes |= {one.lane for one in missing}
        self._asking = True
        for detail in missing:
            self._want(detail)
        self._asking = False
        if not self._waiting:
            self.complete = self._wanted

    def try_again(self) -> bool:
        """Ask once more for what could not be had; False where there is nothing of that kind."""
        if not self._failed:
            return False
        wanted, self._wanted = self._wanted, ()
        self.fetch(wanted)
        return True

    def take(self, detail: Detail, result: Any) -> bool:
        """A detail has come, perhaps too late; False for one of a lane that is not its own."""
        if detail.lane not in self._lanes:
            return False
        self._kept[detail] = result
        self._kept.move_to_end(detail)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        self._arrived(detail)
        return True

    def fail(self, detail: Detail, failure: Failure) -> bool:
        """A detail can't come; False for one of a lane that is not its own."""
        if detail.lane not in self._lanes:
            return False
        if detail in self._waiting:
            self._failed[detail] = failure
        self._arrived(detail)
        return True

    def _arrived(self, detail: Detail) -> None:
        if detail not in self._waiting:
            return
        self._waiting.discard(detail)
        if not self._waiting:
            self.complete = self._wanted
            if not self._asking:
                self._draw()
