"""A pinned answer beside the one of now: version by version, at the same place of the text."""

from dataclasses import dataclass, replace

from explorer.api import Table
from explorer.document import matched, places_of
from explorer.questions.knowledge.entities.question import (
    OPERATION,
    Answered,
    EntitiesResult,
    EntityRow,
    Floats,
    Told,
    Version,
)
from explorer.text import _
from explorer.ui.blocks.shown import Shown
from explorer.ui.parts.pinned_masks import PinnedMask, no_mask_said


@dataclass(frozen=True)
class PinnedEntities:
    """The pinned answer, looked up from the one of now.

    Attributes:
        now: The answer that is shown.
        before: The pinned one.
        places: By a token's position now, its position then, where the text has it there, too.
        why_not: Why a mask has no difference.
    """

    now: EntitiesResult
    before: EntitiesResult
    places: dict[int, int]
    why_not: str

    @staticmethod
    def of(shown: Shown) -> "PinnedEntities | None":
        """None where nothing is pinned."""
        if shown.pinned is None:
            return None
        now: EntitiesResult = shown.result
        before: EntitiesResult = shown.pinned.result
        own = range(len(now.tokens))
        found = matched(
            places_of(now.tokens, own),
            shown.asked,
            places_of(before.tokens, range(len(before.tokens))),
            shown.pinned.document,
        )
        places = {at: then for at, then in zip(own, found, strict=True) if then is not None}
        if [one.id for one in now.tokens] == [one.id for one in before.tokens]:
            places = {at: at for at in own}
        return PinnedEntities(now, before, places, no_mask_said(shown.asked, shown.pinned.document))

    def masks(self, version: Version) -> tuple[PinnedMask, ...]:
        """Each mask of a version beside the same one then."""
        own, then = self.now.version(version), self.before.version(version)
        known = {} if then is None else {mask.position: mask for mask in then.masks}
        why = self.why_not if then is not None else _("The pinned answer names no entity.")
        return tuple(
            PinnedMask(mask, known.get(self.places.get(mask.position, -1)), why)
            for mask in (own.masks if own is not None else ())
        )

    def told(self, version: Version, told: Told, entity: str) -> float | None:
        """What the head for entities gave an entity at the same mention."""
        versions = [one.version for one in self.before.versions]
        for then in self.before.told:
            if then.position == self.places.get(told.position) and version in versions:
                for who, row in zip(then.candidates, then.probabilities.T, strict=True):
                    if who.id == entity:
                        return float(row[versions.index(version)])
        return None

    def classed(self, version: Version, what: str, label: str) -> float | None:
        """What a head for a task gave a class."""
        versions = [one.version for one in self.before.versions]
        for then in self.before.classed:
            if then.what == what and label in then.labels and version in versions:
                return float(then.probabilities[versions.index(version), then.labels.index(label)])
        return None

    def moved(self, one: Answered) -> Floats | None:
        """By how much more the states of a version move now; None where tokens are others."""
        then = self.before.version(one.version)
        if one.moved is None or then is None or then.moved is None or not self._same_tokens:
            return None
        return one.moved - then.moved if one.moved.shape == then.moved.shape else None

    def attention(self, one: Answered) -> Floats | None:
        """The change of the entities' attention; None where other tokens count."""
        then = self.before.version(one.version)
        alike = self.now.counted == self.before.counted and self.now.layers == self.before.layers
        if one.attention is None or then is None or then.attention is None:
            return None
        if not alike or not self._same_tokens or one.attention.shape != then.attention.shape:
            return None
        return one.attention - then.attention

    @property
    def _same_tokens(self) -> bool:
        return len(self.places) == len(self.now.tokens) == len(self.before.tokens)


def pinned_table(shown: Shown) -> Table:
    """The pinned answer's rows, with what it says of the words that are shown now."""
    pinned = PinnedEntities.of(shown)
    assert pinned is not None
    plain = OPERATION.table(pinned.before)
    words = tuple(
        EntityRow("word", version.value, then.position, None, None, one.word, None, value)
        for version in Version
        for pin in pinned.masks(version)
        if (then := pin.then) is not None
        for one in pin.now.predictions
        if (value := pin.before(one).probability) is not None
    )
    others = tuple(row for row in plain.rows if row[0] != "word")
    return replace(plain, rows=(*Table.of(EntityRow, words).rows, *others))
