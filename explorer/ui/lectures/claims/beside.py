"""The exact answers that a page lays beside its answer, for expressions that name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.api.question import Detail
from explorer.exact_answers import NAME as EXACT_ANSWERS
from explorer.lectures import Step
from explorer.lectures.claims.cells import lays_beside

if TYPE_CHECKING:
    from explorer.lectures.claims.cells import Beside
    from explorer.ui.views.page_view import PageView


def beside_of(view: PageView) -> Beside | None:
    """What has come of them; None where the page shows none."""
    wanted = _wanted(view)
    return (
        None
        if wanted is None
        else {one: view.parts.known[one] for one in wanted if one in view.parts.known}
    )


def awaits_beside(view: PageView, step: Step) -> bool:
    """Whether a step claims or asks something of them while they are under way."""
    asked = () if step.ask is None else (step.ask.answer,)
    is_named = any(EXACT_ANSWERS in one for one in (*step.claims, *asked))
    return is_named and any(one not in view.parts.known for one in _wanted(view) or ())


def _wanted(view: PageView) -> Sequence[Detail] | None:
    shown = view.shown()
    if shown is None or not lays_beside(view.of, shown.now):
        return None
    return view.of.laid_beside(shown.result, shown.asked, shown.now)
