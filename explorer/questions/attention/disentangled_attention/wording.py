"""What is said of a head's parts: which they are, what is off, that they add up."""

from explorer.api.question.parts.predictions.changes import verdict_of
from explorer.questions.attention.disentangled_attention.question import (
    TOLERANCE,
    DisentangledAttentionResult,
    off_said,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.short import number


def sum_said(result: DisentangledAttentionResult) -> Phrase:
    """The check of the parts against the model's own scores."""
    return Phrase(
        N_(
            "✓ {parts} is the model's own score: off by at most {here} in this head, {anywhere} in "
            "any (allowed: {allowed})."
        ),
        parts=" + ".join(part.name for part in result.parts),
        here=number(result.sum_error),
        anywhere=number(result.largest_error),
        allowed=number(TOLERANCE),
    )


def place_said(result: DisentangledAttentionResult) -> Phrase:
    """Which head this is."""
    places = {"layer": str(result.layer), "head": str(result.head)}
    if result.step:
        return Phrase(
            N_("Mask decoder, step {step} of {steps} (layer {layer} again), head {head}"),
            step=str(result.step),
            steps=str(result.steps),
            **places,
        )
    return Phrase(N_("Layer {layer}, head {head}"), **places)


def off_and_done(result: DisentangledAttentionResult) -> Phrase:
    """What is switched off, and what that did where something is predicted."""
    off, done = off_said(result.off), verdict_of(result.changes)
    if not done:
        return Phrase(N_("Off: {parts}."), parts=off)
    return Phrase(N_("Off: {parts}. {effect}."), parts=off, effect=done)
