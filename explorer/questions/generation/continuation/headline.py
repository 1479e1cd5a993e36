"""What to look at first: the step that took another token than the first, or the least sure one."""

from typing import Any

from explorer.api.question import Headline, is_close
from explorer.questions.generation.continuation.question import (
    Alternative,
    ContinuationResult,
    WrittenToken,
)
from explorer.questions.generation.continuation.wording import shown_text
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import drawn


def headline(result: ContinuationResult, **_looked_at: Any) -> Headline:
    """Of the tokens that were chosen, and not given."""
    steps = [(step, one) for step, one in enumerate(result.tokens, start=1) if not one.taken]
    if not steps:
        return Headline(NOTHING)
    passed = [
        (first.probability / max(one.probability, 1e-300), step, one, first)
        for step, one in steps
        for first in _others(one)[:1]
        if not is_close(first.probability, one.probability)
    ]
    if passed:
        _far, step, one, first = max(passed, key=lambda told: told[0])
        sentence = Phrase(
            N_(
                "Step {step} strays furthest from the likeliest token: it takes “{word}” "
                "({share}), where “{first}” has {its}."
            ),
            step=str(step),
            word=shown_text(one),
            share=in_percent(one.probability),
            first=drawn(first),
            its=in_percent(first.probability),
        )
        return Headline(sentence, _position(result, one))
    step, least = min(steps, key=lambda told: told[1].probability)
    values = {
        "step": str(step),
        "word": shown_text(least),
        "share": in_percent(least.probability),
    }
    second = next(iter(_others(least)), None)
    if second is None or not is_close(least.probability, second.probability):
        return Headline()
    sentence = Phrase(
        N_(
            "The model is least sure in step {step}: “{word}” has {share}, and “{second}” would "
            "have {its}."
        ),
        second=drawn(second),
        its=in_percent(second.probability),
        **values,
    )
    return Headline(sentence, _position(result, least))


def _others(token: WrittenToken) -> list[Alternative]:
    """What could have been chosen instead, most probable first; nothing that is no text."""
    own = shown_text(token)
    found = [
        one
        for one in token.alternatives
        # Two tokens that are drawn alike, as "." with and without a space, are no other word.
        if one.id != token.id and one.cut_by != "barred" and drawn(one) != own
    ]
    return sorted(found, key=lambda one: -one.probability)


def _position(result: ContinuationResult, token: WrittenToken) -> int | None:
    """Where it stands in the text that was typed: of a masked model alone."""
    place = token.position
    if place is None or place >= len(result.prompt) or not result.prompt[place].masked:
        return None
    return place
