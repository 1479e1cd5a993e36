"""What to look at first: what switching off has moved most, or the head that listens to a part."""

import numpy as np

from explorer.api.question import Headline, beyond, largest_cell, outlying
from explorer.api.question.standing_out import OUTLYING
from explorer.questions.attention.disentangled_attention.question import (
    HEAD,
    LAYER,
    STEP,
    DisentangledAttentionResult,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import word_or_piece

PARTS = {
    "c2c": N_(
        "In layer {layer}, head {head}, content to content decides most: {share} of the "
        "differences between scores, against a mean of {mean} over all heads."
    ),
    "c2p": N_(
        "In layer {layer}, head {head}, content to position decides most: {share} of the "
        "differences between scores, against a mean of {mean} over all heads."
    ),
    "p2c": N_(
        "In layer {layer}, head {head}, position to content decides most: {share} of the "
        "differences between scores, against a mean of {mean} over all heads."
    ),
}
"""By the name of the part."""


def headline(result: DisentangledAttentionResult, **_now: object) -> Headline:
    """The word that moved most where parts are off; else the head that a part decides most.

    Of all heads: of one alone some part always has the largest share.
    """
    moved = result.changes.most_moved if result.off and result.changes is not None else None
    if moved is not None:
        mask, word = moved
        sentence = Phrase(
            N_(
                "With these parts off, “{word}” at position {position} changes most, from "
                "{before} to {after}."
            ),
            word=word_or_piece(word),
            position=str(mask.position),
            before=in_percent(word.before or 0.0),
            after=in_percent(word.after or 0.0),
        )
        return Headline(sentence, mask.position)
    if not result.parts:
        return Headline(NOTHING)
    shares = np.stack([part.shares[: result.layers] for part in result.parts])
    number, layer, head = max(
        ((n, *largest_cell(heads)) for n, heads in enumerate(shares)),
        key=lambda one: outlying(shares[one[0]], one[1:]),
    )
    part = result.parts[number]
    far = outlying(shares[number], (layer, head))
    if far <= OUTLYING or shares[:, layer, head].argmax() != number:
        return Headline()
    sentence = Phrase(
        PARTS[part.name],
        layer=str(layer),
        head=str(head),
        share=in_percent(float(shares[number, layer, head])),
        mean=in_percent(float(part.shares.mean())),
    )
    at = {STEP.key: STEP.default, LAYER.key: layer, HEAD.key: head}
    return Headline(sentence, points_at=at, strength=beyond(far, OUTLYING))
