"""Which heads are shown in full, and which pinned answer is taken from them."""

from explorer.questions.attention.attention.compared import is_same_grid, why_not_subtract
from explorer.questions.attention.attention.one_head import fits
from explorer.questions.attention.attention.question import ADDED, DRAW, HEAD, AttentionResult
from explorer.text import _
from explorer.ui.blocks import Gesture, Head, Shown, current_theme, head_colours, set_options


def pinned_of(shown: Shown) -> AttentionResult | None:
    """The pinned answer, where it can be taken from this one."""
    pinned: AttentionResult | None = shown.before
    if pinned is None or pinned is shown.result or why_not_subtract(shown.result, pinned):
        return None
    if pinned.chosen or shown.result.chosen:
        return None
    return pinned


def pinned_grid(shown: Shown) -> AttentionResult | None:
    """The same, where all its heads can be taken from these."""
    pinned = pinned_of(shown)
    return pinned if pinned is not None and is_same_grid(shown.result, pinned) else None


def choice_of(shown: Shown) -> str:
    """What is shown in full, as in "3.5", "mean" or "rollout"."""
    chosen: str = shown.value(HEAD)
    if shown.result.chosen:
        there: tuple[str, ...] = shown.result.chosen
        return chosen if chosen in there else there[0]
    return chosen if fits(chosen, shown.result) else HEAD.default


def choices_of(shown: Shown) -> tuple[str, ...]:
    """What is drawn as lines: the choice, and the heads that were added to it."""
    chosen = [choice_of(shown)]
    if shown.value(DRAW) == "lines" and shown.pinned is None:
        there = shown.result.chosen
        added = [one for one in shown.value(ADDED) if fits(one, shown.result)]
        chosen += [one for one in added if one in there] if there else added
    return tuple(dict.fromkeys(chosen))[: len(head_colours(current_theme()))]


def add_head(shown: Shown, head: Head) -> Gesture | None:
    """Add a head to the lines, or take it away; the first one added turns lines on."""
    one, choice = "{}.{}".format(*head), choice_of(shown)
    if one == choice:
        return None
    added = [other for other in choices_of(shown) if other != choice]
    added = [other for other in added if other != one] if one in added else [*added, one]
    values: dict[str, object] = {ADDED.key: added or None}
    if added:
        values[DRAW.key] = "lines"
    return set_options(shown.now, values, _("draw head {one}", one=one))
