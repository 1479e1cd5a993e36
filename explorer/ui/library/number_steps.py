"""A slot's own device and number type as steps of the history, named in the Edit menu."""

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from explorer.text import _
from explorer.ui.guarded import guarded
from explorer.ui.library.models import SlotNumbers


@guarded
class NumbersStep(QUndoCommand):
    """From what a slot's models are loaded as to something else.

    Args:
        slot: Which.
        before: What it was.
        after: What it is then.
        give: Gives the slot either, and loads what it holds so.
        is_done: It is so already: a model is being loaded as that.
    """

    def __init__(
        self,
        slot: str,
        before: SlotNumbers,
        after: SlotNumbers,
        give: Callable[[str, SlotNumbers], None],
        *,
        is_done: bool = False,
    ) -> None:
        super().__init__(_name(slot, before, after))
        self._slot, self._before, self._after = slot, before, after
        self._give, self._is_done = give, is_done

    def redo(self) -> None:
        """Do it, at first and again."""
        if self._is_done:
            self._is_done = False
        else:
            self._give(self._slot, self._after)

    def undo(self) -> None:
        """Put back what was there."""
        self._give(self._slot, self._before)


def _name(slot: str, before: SlotNumbers, after: SlotNumbers) -> str:
    """What the Edit menu says after "Undo "."""
    if after.dtype != before.dtype:
        if not after.dtype:
            return _("load model {slot} as all models", slot=slot)
        return _("load model {slot} as {numbers}", slot=slot, numbers=after.dtype)
    if not after.device:
        return _("run model {slot} where all models run", slot=slot)
    return _("run model {slot} on {device}", slot=slot, device=after.device)
