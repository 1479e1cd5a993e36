"""What is said of a head's parts: which they are, what is off, that they add up."""

from collections.abc import Sequence

from explorer.questions.attention.disentangled_attention.question import (
    TOLERANCE,
    DisentangledAttentionResult,
    off_words,
)
from explorer.text import _
from explorer.ui.matrices.scale import number
from explorer.ui.parts.changes import verdict_said


def sum_said(result: DisentangledAttentionResult) -> str:
    """The check of the parts against the model's own scores."""
    return _(
        "✓ {parts} is the model's own score: off by at most {here} in this head, {anywhere} in any "
        "(allowed: {allowed}).",
        parts=" + ".join(part.name for part in result.parts),
        here=number(result.sum_error),
        anywhere=number(result.largest_error),
        allowed=number(TOLERANCE),
    )


def place_said(result: DisentangledAttentionResult) -> str:
    """Which head this is."""
    places = {"layer": str(result.layer), "head": str(result.head), "heads": str(result.heads - 1)}
    if result.step:
        return _(
            "Mask decoder, step {step} of {steps} (layer {layer} again), head {head} of 0 to "
            "{heads}",
            step=str(result.step),
            steps=str(result.steps),
            **places,
        )
    return _(
        "Layer {layer} of 0 to {layers}, head {head} of 0 to {heads}",
        layers=str(result.layers - 1),
        **places,
    )


def off_said(result: DisentangledAttentionResult) -> str:
    """What is switched off, and what that did where something is predicted."""
    off = off_words(result.off)
    done = verdict_said(result.changes) if result.changes is not None else ""
    return (
        _("Off: {parts}. {effect}.", parts=off, effect=done)
        if done
        else _("Off: {parts}.", parts=off)
    )


def pair_said(
    result: DisentangledAttentionResult, labels: Sequence[str], cell: tuple[int, int] | None
) -> str:
    """The sum of one pair of tokens, in numbers."""
    if cell is None:
        return _("Point at a cell: its parts are added up here.")
    query, key = cell
    places = {
        "query": labels[query],
        "key": labels[key],
        "distance": _distance_said(key - query),
        "parts": ", ".join(
            f"{part.name} {number(float(part.scores[query, key]), signed=True)}"
            for part in result.parts
        ),
        "score": number(float(result.scores[query, key]), signed=True),
        "attention": number(float(result.attention[query, key])),
    }
    if result.attention_after is None:
        return _(
            "{query} → {key} ({distance}): {parts}; score {score}, attention {attention}.", **places
        )
    return _(
        "{query} → {key} ({distance}): {parts}; score {score}, attention {attention}, switched off "
        "{after}.",
        **places,
        after=number(float(result.attention_after[query, key])),
    )


def _distance_said(distance: int) -> str:
    if not distance:
        return _("itself")
    if distance > 0:
        return _("{distance} to the right", distance=distance)
    return _("{distance} to the left", distance=-distance)
