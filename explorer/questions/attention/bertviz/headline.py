"""What to look at first: the thickest line between two different tokens."""

from typing import Any

import numpy as np

from explorer.api.question import Headline, stands_out, strongest_link
from explorer.questions.attention.bertviz.question import BertvizResult, weights_in
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING


def headline(result: BertvizResult) -> Headline:
    """The largest weight that the page draws, of a token to another one."""
    drawn = [found for stack in weights_in(result.html) if (found := _thickest(stack)) is not None]
    if not drawn:
        return Headline(NOTHING)
    weight, layer, head, query, key = max(drawn)
    sentence = Phrase(
        N_(
            "The thickest line is in layer {layer}, head {head}, where “{query}” gives “{key}” "
            "{share} of its attention."
        ),
        layer=str(layer),
        head=str(head),
        query=query,
        key=key,
        share=in_percent(weight),
    )
    return Headline(sentence)


def _thickest(stack: dict[str, Any]) -> tuple[float, int, int, str, str] | None:
    weights = np.array(stack["attn"], np.float32)
    queries, keys = stack["left_text"], stack["right_text"]
    if not weights.size:
        return None
    layer, head, query, key = strongest_link(weights, is_own=queries == keys)
    # What each head's thickest line has: of hundreds of heads some one always gives a token all.
    others = np.array(weights)
    if queries == keys and len(queries) > 1:
        others[..., np.arange(len(queries)), np.arange(len(queries))] = -1.0
    if not stands_out(others.max((-2, -1)), (layer, head)):
        return None
    found = float(weights[layer, head, query, key])
    return found, layer, head, queries[query], keys[key]
