"""What to look at first: the hidden token that costs most."""

from typing import Any

from explorer.api.question import Headline, alone
from explorer.questions.masking.masking_policy.question import MaskingPolicyResult, TokenFate
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.pieces import drawn

SENTENCES = {
    TokenFate.MASKED: N_(
        "“{word}” costs most where it is masked, in epoch {epoch}: {loss} nats, because the "
        "model expects “{best}”."
    ),
    TokenFate.RANDOM: N_(
        "“{word}” costs most where “{seen}” replaces it, in epoch {epoch}: {loss} "
        "nats, because the model expects “{best}”."
    ),
    TokenFate.UNCHANGED: N_(
        "“{word}” costs most although it is unchanged, in epoch {epoch}: {loss} nats,"
        " because the model expects “{best}”."
    ),
}
"""By what became of the token."""


def headline(result: MaskingPolicyResult, **_draw: Any) -> Headline:
    """The largest loss of all draws, and what the model expects there."""
    every = [(n, one) for n, draw in enumerate(result.draws, 1) for one in draw.chosen]
    if not every:
        return Headline()
    epoch, worst = max(every, key=lambda one: one[1].loss)
    if worst.rank == 1:
        return Headline()  # each is the model's own first guess
    sentence = Phrase(
        SENTENCES[worst.fate],
        word=alone(result.tokens[worst.position]),
        seen=drawn(worst.seen),
        epoch=str(epoch),
        loss=significant(worst.loss, 3),
        best=drawn(worst.prediction),
    )
    return Headline(sentence, worst.position)
