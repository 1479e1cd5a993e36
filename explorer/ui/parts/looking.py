"""How a part is looked at: on which page, and what is chosen in it."""

from dataclasses import dataclass
from typing import Any

from explorer.api import Operation
from explorer.text import _
from explorer.ui.blocks.shown import Shown
from explorer.ui.document.gestures import Edit


@dataclass(frozen=True)
class Looking:
    """What a part's blocks are made with, beside the part.

    Attributes:
        of: The question.
        shown: What its page is made from.
    """

    of: Operation[Any, Any]
    shown: Shown

    @property
    def chosen(self) -> tuple[int, ...]:
        """What was chosen in the picture; () for nothing."""
        option = self.of.choice
        return () if option is None else option.of(self.shown.now)

    def choose(self, *place: int) -> Edit | None:
        """The gesture of choosing a place; None where nothing can be chosen, as on paper."""
        option = self.of.choice
        if option is None or self.shown.alone:
            return None
        return self.shown.setting(option, place, _("choose in the picture"))
