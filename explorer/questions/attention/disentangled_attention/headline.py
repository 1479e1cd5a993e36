"""What to look at first: what switching off has moved most, or what the head listens to most."""

from explorer.api import Headline
from explorer.questions.attention.disentangled_attention.question import (
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


def headline(result: DisentangledAttentionResult) -> Headline:
    """The word that moved most where parts are off; else the largest share of the head."""
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
    line = result.layers + result.step - 1 if result.step else result.layer
    part = max(result.parts, key=lambda one: float(one.shares[line, result.head]))
    sentence = Phrase(
        PARTS[part.name],
        layer=str(min(line, result.layers - 1)),
        head=str(result.head),
        share=in_percent(float(part.shares[line, result.head])),
        mean=in_percent(float(part.shares.mean())),
    )
    return Headline(sentence)
