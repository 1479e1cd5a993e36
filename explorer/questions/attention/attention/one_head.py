"""One head as it is drawn, or several made one: names, meanings, cells."""

from typing import Any

from explorer.api.question import Entry, head_said
from explorer.questions.attention.attention.compared import blocked, blocked_small, labels_of
from explorer.questions.attention.attention.question import HEAD, AttentionResult
from explorer.text import N_, _
from explorer.ui.blocks import Head, HeatContent, LinesContent, Scale, remembered

LATER = N_("comes later, and can't be seen")


def title_of(choice: str) -> str:
    """What a choice of heads is called: "3.5" is "Layer 3, head 5"."""
    first, _dot, second = choice.partition(".")
    over = {"mean": _("Mean"), "max": _("Strongest")}
    if first == "rollout":
        return (
            _("Rollout up to layer {second}", second=second)
            if second
            else _("Rollout through all layers")
        )
    if first in over:
        return _("{over} of all heads", over=over[first])
    if second in over:
        return _("{over} of layer {first}'s heads", over=over[second], first=first)
    return head_said(first, second).said


def meaning_of_choice(choice: str) -> str:
    """How several heads were made one; "" for a single head."""
    first, _dot, second = choice.partition(".")
    if first == "rollout":
        return _(
            "How much of each input token is in each token's state by attention alone: the mean of "
            "each layer's heads, half of it replaced by the identity, multiplied layer by layer "
            "(Abnar and Zuidema 2020)."
        )
    if "max" in (first, second):
        return _("The largest weight that any of the heads gives; rows do not sum to one.")
    if "mean" in (first, second):
        return _("The mean of the heads' weights.")
    return ""


def head_of(choice: str) -> Head | None:
    """Layer and head of a choice that is one head."""
    first, _dot, second = choice.partition(".")
    return (int(first), int(second)) if first.isdecimal() and second.isdecimal() else None


def fits(choice: str, result: AttentionResult) -> bool:
    """Whether a choice can be read, and the model has what it names."""
    if not HEAD.accepts(choice):
        return False
    first, _dot, second = choice.partition(".")
    if first == "rollout":
        return result.kind != "cross" and (not second or int(second) < result.layers)
    if first in ("mean", "max"):
        return True
    layer = first.isdecimal() and int(first) < result.layers
    return layer and (second in ("mean", "max") or int(second or 0) < result.heads)


def choices_offered(result: AttentionResult | None, choice: str) -> tuple[Entry, ...]:
    """What can be made of several heads, then every head."""
    layer = choice.partition(".")[0]
    number = int(layer) if layer.isdecimal() else 0
    offered = [f"{number}.mean", f"{number}.max", "mean", "max"]
    if result is not None and result.kind != "cross":
        offered += ["rollout", f"rollout.{number}"]
    if result is not None:
        offered += [f"{n}.{head}" for n in range(result.layers) for head in range(result.heads)]
    offered += [choice]
    return tuple(
        Entry(one, title_of(one), meaning_of_choice(one)) for one in dict.fromkeys(offered)
    )


def _labels(
    now: AttentionResult, before: AttentionResult | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of rows and of columns."""
    if before is None:
        return labels_of(now.queries), labels_of(now.keys)
    return labels_of(now.queries, before.queries), labels_of(now.keys, before.keys)


@remembered()
def heat_content(
    now: AttentionResult,
    before: AttentionResult | None,
    logarithmic: bool,
    from_right: bool,
) -> HeatContent:
    """One head's weights, queries x keys, or the difference to another answer's.

    Args:
        now: With heads in full, of which the first is drawn.
        before: The same choice of another answer, which is taken from it.
        logarithmic: Colours by powers of ten.
        from_right: The first token stands at the right.
    """
    rows, columns = _labels(now, before)
    values = now.weights[0] - before.weights[0] if before is not None else now.weights[0]
    scale = (
        Scale.about_zero(values, logarithmic=logarithmic)
        if before is not None
        else Scale(logarithmic=logarithmic)
    )
    return HeatContent(
        values,
        rows,
        columns,
        scale,
        blocked=blocked(now),
        blocked_words=_(LATER),
        row_title=_("from"),
        column_title=_("to"),
        signed=before is not None,
        from_right=from_right,
    )


@remembered()
def lines_content(
    now: AttentionResult, before: AttentionResult | None, threshold: float, from_right: bool
) -> LinesContent:
    """The heads' weights as lines, or the first one's difference to another answer's."""
    weights: Any = now.weights
    if before is not None:
        weights = weights[:1] - before.weights[:1]
    names = tuple(title_of(choice) for choice in now.chosen[: len(weights)])
    signed = before is not None
    labels = _labels(now, before)
    return LinesContent(names, weights, *labels, threshold, signed=signed, from_right=from_right)


@remembered()
def coarse(result: AttentionResult, head: Head, from_right: bool) -> HeatContent:
    """A head as the overview has it, for when its model is not loaded any more."""
    import numpy as np

    values = result.overview[head].astype(np.float32)
    high, wide = result.block
    rows = tuple(place.label for place in result.queries[::high])
    columns = tuple(place.label for place in result.keys[::wide])
    hidden = blocked_small(result)
    return HeatContent(
        values,
        rows,
        columns,
        Scale(),
        hidden,
        _(LATER),
        _("from"),
        _("to"),
        from_right=from_right,
    )
