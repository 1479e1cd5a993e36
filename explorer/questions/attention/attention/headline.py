"""What to look at first: the head that most plainly looks at one place."""

import numpy as np

from explorer.api.question import Headline, beyond, largest_cell, outlying, strongest_link
from explorer.api.question.standing_out import OUTLYING
from explorer.questions.attention.attention.question import HEAD, AttentionResult, layer_and_head
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING

CLEAR = 0.3
"""Less of its attention is no pattern."""

PATTERNS = {
    "previous": N_(
        "Layer {layer}, head {head} has the plainest pattern: {share} of its attention goes to "
        "the previous token."
    ),
    "next": N_(
        "Layer {layer}, head {head} has the plainest pattern: {share} of its attention goes to "
        "the next token."
    ),
    "same": N_(
        "Layer {layer}, head {head} has the plainest pattern: {share} of its attention stays on "
        "the token itself."
    ),
    "first": N_(
        "Layer {layer}, head {head} has the plainest pattern: {share} of its attention goes to "
        "the first token."
    ),
    "separator": N_(
        "Layer {layer}, head {head} has the plainest pattern: {share} of its attention goes to "
        "the separators."
    ),
}
"""By the name of the measure."""


def headline(result: AttentionResult) -> Headline:
    """The head that gives one kind of place more than other heads do; of heads in full, one token.

    Some kind of place always has a head that looks there most, so that it counts only where it
    stands out from the other heads.
    """
    if result.chosen:
        return _in_full(result)
    names = [name for name in result.measure_names if name in PATTERNS]
    found = result.measures[[result.measure_names.index(name) for name in names]]
    if not names or not np.isfinite(found).any():
        return Headline(NOTHING)
    clear = [
        (outlying(heads, place), which, place)
        for which, heads in enumerate(found)
        if np.isfinite(heads).any() and heads[place := largest_cell(heads)] >= CLEAR
    ]
    far, which, (layer, head) = max(clear, default=(0.0, 0, (0, 0)))
    if far <= OUTLYING:
        return Headline()
    values = {
        "layer": str(layer),
        "head": str(head),
        "share": in_percent(float(found[which, layer, head])),
    }
    return Headline(
        Phrase(PATTERNS[names[which]], **values),
        points_at={HEAD.key: f"{layer}.{head}"},
        strength=beyond(far, OUTLYING),
    )


def _in_full(result: AttentionResult) -> Headline:
    """The strongest link of the first head that was asked for."""
    weights = result.weights[0]
    is_own = result.kind != "cross" and len(result.queries) == len(result.keys)
    query, key = strongest_link(weights, is_own=is_own)
    values = {
        "query": result.queries[query].label,
        "key": result.keys[key].label,
        "share": in_percent(float(weights[query, key])),
    }
    layer, head = layer_and_head(result.chosen[0])
    if not isinstance(layer, int) or not isinstance(head, int):
        return Headline(
            Phrase(N_("“{query}” looks most at “{key}”: {share} of its attention."), **values)
        )
    sentence = Phrase(
        N_(
            "In layer {layer}, head {head}, “{query}” looks most at “{key}”: {share} of its "
            "attention."
        ),
        layer=str(layer),
        head=str(head),
        **values,
    )
    return Headline(sentence)
