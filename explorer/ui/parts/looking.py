"""How a part is looked at: on which page, with which options, and what is chosen in it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.api.question import (
    Changes,
    Gesture,
    Mask,
    Option,
    Put,
    Puts,
    Question,
    Sets,
    Toggles,
    Turns,
)
from explorer.api.question.parts.part import CHOSEN
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.page import Run, Select
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.document.gestures import Edit, put_words, set_options, toggle_in

Pictures = Mapping[str, Callable[[Shown], Iterable[Block]]]
"""What a page draws itself, by the names that its parts have for it."""


@dataclass(frozen=True)
class Looking:
    """What a part's blocks are made with, beside the part.

    Attributes:
        of: The question.
        shown: What its page is made from.
        pictures: What the page draws itself.
    """

    of: Question[Any, Any]
    shown: Shown
    pictures: Pictures = field(default_factory=dict)

    def act(self, gesture: Gesture | None) -> Edit | Select | Run | None:
        """What a click does here; None for nothing, as on paper."""
        if gesture is None or self.shown.alone:
            return None
        if isinstance(gesture, Sets):
            return set_options(self.shown.now, gesture.values, said(gesture.step))
        if isinstance(gesture, Toggles):
            return toggle_in(self.shown.now, gesture.option, gesture.items, said(gesture.step))
        if isinstance(gesture, Puts):
            puts = ((self._room(one), one.words) for one in gesture.puts)
            return put_words(self.shown.asked, *puts)
        if isinstance(gesture, Changes):
            return Edit(said(gesture.step), self.shown.asked, gesture.change)
        return Select(gesture.position) if isinstance(gesture, Turns) else Run()

    def _room(self, put: Put) -> Mask:
        """What words take: their place, and a space before it that a part of a word has not."""
        before = self.shown.asked.part(put.place.part)[: put.place.start]
        spaced = put.glued and before.endswith(" ")
        return replace(put.place, start=put.place.start - 1) if spaced else put.place

    def option(self, key: str) -> Option[Any] | None:
        """The question's option of a kind's; None where the question has none such."""
        whole = f"{self.of.name}.{key}"
        return next((one for one in self.of.options if one.key == whole), None)

    def value(self, key: str) -> Any:
        """What an option of the kind is set to; None where the question has none such."""
        option = self.option(key)
        return None if option is None else self.shown.value(option)

    def setting(self, key: str, value: Any, words: str) -> Edit | None:
        """The gesture that sets an option of the kind; None where nothing can be set.

        Args:
            key: The kind's.
            value: That it is set to.
            words: What the gesture does, for the list of what can be undone.
        """
        option = self.option(key)
        return None if option is None else self.shown.setting(option, value, words)

    @property
    def chosen(self) -> tuple[int, ...]:
        """What was chosen in the picture, else the token that was turned to; () for nothing."""
        turned = () if self.shown.selected is None else (self.shown.selected,)
        return self.value(CHOSEN) or turned

    def choose(self, *place: int) -> Edit | None:
        """The gesture of choosing a place; None where nothing can be chosen, as on paper."""
        option = self.option(CHOSEN)
        if option is None or self.shown.alone:
            return None
        return self.shown.setting(option, place, _("choose in the picture"))
