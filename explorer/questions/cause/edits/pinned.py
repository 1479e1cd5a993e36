"""What the same edits did in the pinned answer."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.document import Mask, matched
from explorer.questions.cause.edits.question import (
    DIFFERENCE,
    EditEffect,
    EditsResult,
)
from explorer.questions.cause.edits.wording import name_of
from explorer.text import _
from explorer.ui.blocks.shown import Shown


@dataclass(frozen=True)
class PinnedEdits:
    """The pinned answer, and where its words stand in the text of now.

    Attributes:
        result: The pinned one.
        places: For every word of now the number of the pinned one at the same place; None where
            there is none.
    """

    result: EditsResult
    places: tuple[int | None, ...]

    def effect(self, one: EditEffect) -> EditEffect | None:
        """The same edit of the same word."""
        place, put = self.places[one.place], one.put.casefold()
        same = (e for e in self.result.edits if (e.place, e.put.casefold()) == (place, put))
        return next(same, None) if place is not None else None

    def moved(self, one: EditEffect, measure: str) -> float | None:
        """How far it moved the prediction there."""
        found = self.effect(one)
        return _moved(found, measure) if found is not None else None

    def strongest(self, place: int, measure: str) -> float | None:
        """How far the strongest edit of a word moved the prediction there."""
        there = self.places[place]
        every = [_moved(one, measure) for one in self.result.edits if one.place == there]
        return max((one for one in every if one is not None), key=abs, default=None)

    def said(self, result: EditsResult) -> Iterator[str]:
        """What is compared, and what of it is another matter than now."""
        if all(one is None for one in self.places):
            yield _("The pinned answer is of another text and has no word at these very places.")
            return
        yield _("A line across a bar is where the pinned answer's bar ends.")
        then, now = name_of(self.result, self.result.word), name_of(result, result.word)
        if then.casefold() != now.casefold():
            yield _("The pinned answer followed “{then}”, this one “{now}”.", then=then, now=now)


def _moved(one: EditEffect, measure: str) -> float | None:
    lacks = measure == DIFFERENCE and one.difference_change is None
    return None if lacks else one.moved(measure)


def pinned_edits(shown: Shown) -> PinnedEdits | None:
    """The pinned answer, beside the one that is shown; None where nothing is pinned."""
    if shown.pinned is None:
        return None
    then: EditsResult = shown.pinned.result
    places, pinned = _places(shown.result), _places(then)
    return PinnedEdits(then, matched(places, shown.asked, pinned, shown.pinned.document))


def _places(result: EditsResult) -> list[Mask]:
    return [Mask(one.start, one.end, one.part) for one in result.words]
