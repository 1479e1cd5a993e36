"""What a part was in the pinned answer."""

from typing import TypeVar

from explorer.api.question import Part
from explorer.api.question.parts.cards import every_part
from explorer.ui.blocks.page.pins import of_pinned
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import parts_shown

Kind = TypeVar("Kind", bound=Part)


def pinned_parts(kind: type[Kind], looking: Looking) -> list[Kind]:
    """The pinned answer's parts of a kind, those in cards too; none where nothing is pinned."""
    if looking.shown.pinned is None:
        return []
    parts = parts_shown(looking.of, of_pinned(looking.shown))
    return [one for one in every_part(parts) if isinstance(one, kind)]


def pinned_part(part: Kind, looking: Looking) -> Kind | None:
    """The pinned answer's part that is shown where this one is; None where it has none."""
    then = pinned_parts(type(part), looking)
    shown = every_part(parts_shown(looking.of, looking.shown)) if then else ()
    now = [one for one in shown if isinstance(one, type(part))]
    at = next((n for n, one in enumerate(now) if one is part), None)
    return then[at] if at is not None and len(now) == len(then) else None
