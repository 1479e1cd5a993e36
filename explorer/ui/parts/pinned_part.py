"""What a part was in the pinned answer."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from explorer.api.question.parts.cards import Cards
from explorer.api.question.parts.part import Part
from explorer.ui.blocks.pins import of_pinned
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import parts_shown

Kind = TypeVar("Kind", bound=Part)


def pinned_part(part: Kind, looking: Looking) -> Kind | None:
    """The pinned answer's part that is shown where this one is; None where it has none."""
    if looking.shown.pinned is None:
        return None
    answers = (looking.shown, of_pinned(looking.shown))
    now, then = (
        [one for one in _flat(parts_shown(looking.of, shown)) if isinstance(one, type(part))]
        for shown in answers
    )
    at = next((n for n, one in enumerate(now) if one is part), None)
    return then[at] if at is not None and len(now) == len(then) else None


def _flat(parts: Sequence[Part]) -> Iterator[Part]:
    """With those in cards."""
    for one in parts:
        yield one
        if isinstance(one, Cards):
            yield from _flat(list(one.inside))
