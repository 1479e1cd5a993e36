"""What a joint filling says in whole sentences, for people who never heard of it."""

import math

from explorer.questions.masking.joint_decoding.fillings import times, words_of
from explorer.questions.masking.joint_decoding.question import (
    DecodingMethod,
    Filling,
    JointDecodingResult,
)
from explorer.text import N_, Phrase
from explorer.text.bidi import isolated
from explorer.text.formatting.probabilities import in_digits
from explorer.text.phrase import NOTHING
from explorer.text.printable import shortened

LONGEST = 60
"""Characters of a filling that a sentence quotes."""


def quoted(filling: Filling) -> str:
    """The same as a quotation; of a long one the first words."""
    return f"“{isolated(shortened(words_of(filling), LONGEST))}”"


def verdict(result: JointDecodingResult) -> Phrase:
    """What came of it, in one or two sentences."""
    best, alone = result.fillings[0], result.independent
    if len(result.order) == 1:
        return Phrase(
            N_(
                "Only one token is masked, so there is nothing it could have to agree with. Mask "
                "another word."
            )
        )
    if alone is None:
        return Phrase(
            N_(
                "The most probable filling found is {best}, with a joint probability of "
                "{in_digits}."
            ),
            best=quoted(best),
            in_digits=in_digits(math.exp(best.log_joint)),
        )
    said = Phrase(N_("Asked for each mask alone, the model says {alone}"), alone=quoted(alone))
    together = in_digits(math.exp(alone.log_joint))
    if best.words == alone.words:
        return Phrase(
            N_("{said}, and filled together it says the same ({together})."),
            said=said,
            together=together,
        )
    if result.method is DecodingMethod.INDEPENDENT:
        return Phrase(
            N_("{said}. As a whole it gives these words {together}."), said=said, together=together
        )
    gain = best.log_joint - alone.log_joint
    found = in_digits(math.exp(best.log_joint))
    if gain > math.log(1.05):
        return Phrase(
            N_(
                "{said}. But these words together have only {together}. Filled together it says "
                "{best}: {found}, {times} times as probable."
            ),
            said=said,
            together=together,
            best=quoted(best),
            found=found,
            times=times(gain).removeprefix("× "),
        )
    return Phrase(
        N_("{said} ({together}); filled in this way it says {best} ({found})."),
        said=said,
        together=together,
        best=quoted(best),
        found=found,
    )


def order_said(result: JointDecodingResult, masks: tuple[Phrase, ...]) -> Phrase:
    """In which order the masks were filled."""
    if len(result.order) < 2:
        return NOTHING
    if len(result.order) <= 8:
        order = masks[result.order[0]]
        for mask in result.order[1:]:
            order = Phrase(N_("{earlier}, then {mask}"), earlier=order, mask=masks[mask])
        return Phrase(N_("Order: {order}."), order=order)
    if list(result.order) == sorted(result.order):
        return Phrase(N_("Order: left to right."))
    return Phrase(N_("Order: as the numbers under the masks say."))


BARS = N_(
    "Blue: how probable the words are together (each word's probability after "
    "those before it in the order, multiplied). Grey: the same words if the masks"
    " did not depend on each other. × and ÷ say by how much the two differ. The "
    "coloured row has the words of each mask alone."
)
BARS_FROM_LEFT = N_(
    "How probable the words are together: each word's probability once everything"
    " before it is there, multiplied."
)
TABLE = N_(
    "Each row puts one word at {first}; the numbers are then the probabilities at"
    " {second}, in %. Orange: more than alone; blue: less. Rows that are alike "
    "mean that the masks do not depend on each other. “Moved” is the total "
    "variation: the share of the probability that went to other words."
)
STEPS = N_(
    "How the best filling came about. “Now” is the word's probability when it was filled, “alone” "
    "what it had while everything was still masked."
)
STEPS_FROM_LEFT = N_(
    "How the best filling came about. “Now” is the word's probability when it was filled."
)
