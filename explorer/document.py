"""What the user is looking at: text, a second text, masks, and options. Frozen, with pure edits.

Masks are ranges of characters, not token numbers, so they survive another tokenizer.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import EVERY, Mask, Mention, Token
from explorer.files.foreign import json_of

__all__ = [
    "MASK_LITERAL",
    "Document",
    "Mask",
    "Mention",
    "by_place",
    "carried",
    "carried_mentions",
    "matched",
    "places_of",
    "ranges_of",
]

MASK_LITERAL = "[MASK]"
"""What a user may type for a mask, whatever the model's own mask token is."""


@dataclass(frozen=True)
class Document:
    """The state everything on screen is drawn from.

    Attributes:
        text: The sentence.
        pair: The second sentence; None when there is none.
        masks: Sorted, never empty, inside their text; only those of single tokens may share
            characters.
        entities: Where the texts name an entity, sorted; none shares characters with another.
        top_k: How many predictions a mask gets.
        options: What the views' tools are set to, as ("operation.name", JSON) in alphabetical
            order; an option that was never changed is not here.
    """

    text: str = ""
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    top_k: int = 10
    options: tuple[tuple[str, str], ...] = ()
    entities: tuple[Mention, ...] = ()

    def __post_init__(self) -> None:
        """Leave the default to the class: most documents are written as they always were."""
        if not self.entities:
            self.__dict__.pop("entities", None)

    def part(self, number: int) -> str:
        """The text (0) or its pair (1)."""
        return self.text if number == 0 else self.pair or ""

    def option(self, key: str, default: Any = None) -> Any:
        """What a view's tool is set to ("joint_decoding.method"), or the default.

        A value that can't be read, from another version of the program, is the default too.
        """
        written = dict(self.options).get(key)
        if written is None:
            return default
        try:
            return json_of(written)
        except ValueError:
            return default

    def with_option(self, key: str, value: Any) -> "Document":
        """Set a view's tool; None takes the option away.

        Args:
            key: "operation.name".
            value: Anything that JSON can hold.
        """
        options = dict(self.options)
        if value is None:
            options.pop(key, None)
        else:
            options[key] = json.dumps(value, ensure_ascii=False, sort_keys=True)
        return replace(self, options=tuple(sorted(options.items())))

    def with_text(self, text: str, part: int = 0) -> "Document":
        """Replace a text; masks before and after the change keep their words.

        The change is what lies between the longest common beginning and end; a mask that
        touches it is dropped, one behind it moves along.
        """
        old = self.part(part)
        if text == old:
            return self
        start, old_end, shift = _changed(old, text)
        kept: list[Mask] = []
        for mask in self.masks:
            if mask.part != part or mask.end <= start:
                kept.append(mask)
            elif mask.start >= old_end:
                kept.append(replace(mask, start=mask.start + shift, end=mask.end + shift))
        changed = replace(self, text=text) if part == 0 else replace(self, pair=text)
        return replace(
            changed,
            masks=tuple(sorted(kept, key=_reading_order)),
            entities=carried_mentions(self.entities, self, changed),
        )

    def with_pair(self, pair: str | None) -> "Document":
        """Give it a second text, or take it away together with its masks."""
        if pair is None:
            return replace(
                self,
                pair=None,
                masks=tuple(m for m in self.masks if m.part == 0),
                entities=tuple(m for m in self.entities if m.part == 0),
            )
        if self.pair is None:
            return replace(self, pair=pair)
        return self.with_text(pair, part=1)

    def with_mask(
        self, start: int, end: int, part: int = 0, nth: int = EVERY, *, letters: bool = False
    ) -> "Document":
        """Mask a range, or one of its tokens; ranges it overlaps are merged into it."""
        length = len(self.part(part))
        start, end = max(0, start), min(end, length)
        if start >= end:
            return self
        kept: list[Mask] = []
        for mask in self.masks:
            if is_same(mask, Mask(start, end, part, nth)):
                nth = nth if mask.nth == nth else EVERY
                start, end = min(start, mask.start), max(end, mask.end)
            else:
                kept.append(mask)
        kept.append(Mask(start, end, part, nth, letters))
        return replace(self, masks=tuple(sorted(kept, key=_reading_order)))

    def without_mask(self, start: int, end: int, part: int = 0, nth: int = EVERY) -> "Document":
        """Unmask a range, or one of its tokens; a mask that reaches beyond it keeps the rest."""
        kept: list[Mask] = []
        for mask in self.masks:
            if mask.nth != EVERY:
                if not is_same(mask, Mask(start, end, part, nth)):
                    kept.append(mask)
                continue
            if mask.part != part or mask.end <= start or mask.start >= end:
                kept.append(mask)
                continue
            if mask.start < start:
                kept.append(Mask(mask.start, start, part))
            if mask.end > end:
                kept.append(Mask(end, mask.end, part))
        return replace(self, masks=tuple(sorted(kept, key=_reading_order)))

    def without_masks(self) -> "Document":
        """Unmask everything."""
        return replace(self, masks=())

    def is_masked(self, start: int, end: int, part: int = 0, nth: int = EVERY) -> bool:
        """Whether any character of a range is masked, or one of its tokens."""
        place = Mask(start, end, part, nth)
        return any(is_same(mask, place) for mask in self.masks)

    def toggle_mask(self, start: int, end: int, part: int = 0, nth: int = EVERY) -> "Document":
        """Mask a range or one of its tokens; unmask it where any of it is masked."""
        if self.is_masked(start, end, part, nth):
            return self.without_mask(start, end, part, nth)
        return self.with_mask(start, end, part, nth)

    def with_words(self, start: int, end: int, words: str, part: int = 0) -> "Document":
        """Put words in the place of a range and unmask it; other masks keep their words."""
        old = self.part(part)
        text = old[:start] + words + old[end:]
        shift = len(words) - (end - start)
        kept = []
        for mask in self.without_mask(start, end, part).masks:
            if mask.part == part and mask.start >= end:
                kept.append(replace(mask, start=mask.start + shift, end=mask.end + shift))
            else:
                kept.append(mask)
        changed = replace(self, text=text) if part == 0 else replace(self, pair=text)
        return replace(
            changed,
            masks=tuple(sorted(kept, key=_reading_order)),
            entities=carried_mentions(self.entities, self, changed),
        )

    def with_entity(self, mention: Mention) -> "Document":
        """Say which entity some characters name, in the place of what they share with others."""
        if not 0 <= mention.start < mention.end <= len(self.part(mention.part)):
            return self
        kept = [one for one in self.entities if not one.overlaps(mention)]
        return replace(self, entities=tuple(sorted((*kept, mention), key=by_place)))

    def without_entity(self, start: int, end: int, part: int = 0) -> "Document":
        """Take the entities away that share characters with a range."""
        gone = Mention(start, end, "", part)
        kept = tuple(one for one in self.entities if not one.overlaps(gone))
        return replace(self, entities=kept)

    def literal_masks(self) -> tuple[Mask, ...]:
        """Where the user typed [MASK] in so many characters."""
        found = [
            Mask(match.start(), match.end(), part)
            for part, text in enumerate((self.text, self.pair or ""))
            for match in re.finditer(re.escape(MASK_LITERAL), text)
        ]
        return tuple(found)


def _reading_order(mask: Mask) -> tuple[int, ...]:
    return mask.part, mask.start, mask.end, mask.nth


def is_same(mask: Mask, place: Mask) -> bool:
    """Whether a mask hides some of a place; two single tokens are the same or not."""
    if EVERY not in (mask.nth, place.nth):
        return mask == place
    return mask.part == place.part and mask.start < place.end and mask.end > place.start


def by_place(mention: Mention) -> tuple[int, int]:
    """Reading order."""
    return mention.part, mention.start


def carried_mentions(
    mentions: Iterable[Mention], before: Document, now: Document
) -> tuple[Mention, ...]:
    """The mentions whose characters stand in another document too, where they stand there."""
    kept = []
    for one in mentions:
        place = carried(Mask(one.start, one.end, one.part), before, now)
        if place is not None:
            kept.append(replace(one, start=place.start, end=place.end))
    return tuple(kept)


def ranges_of(masks: Iterable[Mask]) -> tuple[Mask, ...]:
    """Masks as ranges of characters that share none, in reading order."""
    found: list[Mask] = []
    for mask in sorted(masks, key=_reading_order):
        if found and found[-1].part == mask.part and mask.start < found[-1].end:
            found[-1] = Mask(found[-1].start, max(found[-1].end, mask.end), mask.part)
        else:
            found.append(Mask(mask.start, mask.end, mask.part))
    return tuple(found)


def carried(
    place: Mask, before: Document, now: Document, *, rewritten: bool = False
) -> Mask | None:
    """Where the characters of a document stand in another one, which came from it by an edit.

    The edit is what lies between the longest common beginning and end of the two texts.

    Args:
        place: Some characters of the earlier document.
        before: The earlier document.
        now: The later one.
        rewritten: A place whose own characters were edited, and no others, is still that place.

    Returns:
        The place in the later document; None where the edit touches it, or a letter was written
        right beside it, so that its word is another one.
    """
    if place.part == 1 and now.pair is None:
        return None
    old, new = before.part(place.part), now.part(place.part)
    if old == new:
        return place
    start, end, shift = _changed(old, new)
    if place.end < start or (place.end == start and not _is_in_word(new, start)):
        return place
    moved = replace(place, start=place.start + shift, end=place.end + shift)
    if place.start > end or (place.start == end and not _is_in_word(new, end + shift)):
        return moved
    if rewritten and place.start <= start and end <= place.end and place.start < moved.end:
        return replace(place, end=moved.end)
    return None


def _is_in_word(text: str, at: int) -> bool:
    """Whether a word goes on from one side of a place between two characters to the other."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _changed(old: str, new: str) -> tuple[int, int, int]:
    """Start and end of the change in the old text, and by how much what follows moves."""
    limit = min(len(old), len(new))
    start = 0
    while start < limit and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < limit - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return start, len(old) - tail, len(new) - len(old)


def places_of(tokens: Sequence[Token], positions: Sequence[int]) -> tuple[Mask, ...]:
    """The characters under some tokens of an answer, one place a token."""
    return tuple(Mask(tokens[at].start, tokens[at].end, tokens[at].part) for at in positions)


def matched(
    places: Sequence[Mask], now: Document, earlier_places: Sequence[Mask], earlier: Document
) -> tuple[int | None, ...]:
    """For every place the number of the earlier place that holds the same characters.

    A place that was carried along by an edit of the text is still the same; so is one that holds
    the whole edit, as when another word is masked in the same sentence. Several tokens over the
    same characters are told apart by their order.

    Args:
        places: Of tokens or masks of now.
        now: The document they are of.
        earlier_places: Of those of an earlier answer.
        earlier: The document that asked for it.
    """
    known: dict[Mask, list[int]] = {}
    for number, place in enumerate(earlier_places):
        found = carried(_bare(place, earlier), earlier, now, rewritten=True)
        if found is not None:
            known.setdefault(_bare(found, now), []).append(number)
    left = {place: iter(numbers) for place, numbers in known.items()}
    return tuple(next(left.get(_bare(place, now), iter(())), None) for place in places)


def _bare(place: Mask, document: Document) -> Mask:
    """A place without the spaces around it, which some tokenizers count with a word."""
    words = document.part(place.part)[place.start : place.end]
    start = place.start + len(words) - len(words.lstrip())
    return Mask(start, max(start, place.end - len(words) + len(words.rstrip())), place.part)
