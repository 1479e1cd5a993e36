"""What to look at first: the layer from which on the word that wins is the likeliest."""

from itertools import pairwise
from typing import Any

from explorer.api.question import Headline, beyond, layer_phrase
from explorer.questions.layers.forward_pass.question import ForwardPassResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent

SMALL = 0.2
"""A rise of the winner's probability within one layer that does not stand out."""


def headline(result: ForwardPassResult, **_settings: Any) -> Headline:
    """Where the winner's probability rises most from one layer to the next."""
    if len(result.readings) < 2:
        return Headline()
    chances = [one.winner for one in result.readings]
    rises = [after - before for before, after in pairwise(chances)]
    most = max(range(len(rises)), key=rises.__getitem__)
    if rises[most] < SMALL:
        return Headline()
    sentence = Phrase(
        N_(
            "“{word}” is decided at {layer}: read by the model's own head, it rises from {before} "
            "to {after} there."
        ),
        word=result.words[0].word,
        layer=layer_phrase(result.readings[most + 1].row),
        before=in_percent(chances[most]),
        after=in_percent(chances[most + 1]),
    )
    return Headline(sentence, strength=beyond(rises[most], SMALL))
