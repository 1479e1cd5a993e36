"""One draw in full, the draws of many epochs, and how masks are drawn."""

from collections.abc import Iterator

from explorer.api.question import Loss, Losses, Manner, OwnPicture, Said
from explorer.api.question.parts.tokens.losses import SeenToken
from explorer.questions.masking.masking_policy.question import (
    POLICY,
    Draw,
    MaskingPolicyRequest,
    MaskingPolicyResult,
    SelectedToken,
    TokenFate,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import readable, visible, word_or_piece

EPOCHS = "epochs"
"""The picture of the masks of every epoch."""
WHY_THREE = N_(
    "Why not always [MASK]? Texts after training have none. A random token now "
    "and then teaches the model to doubt what it reads; a token left as it is, "
    "that what it reads may be right. It never knows which tokens it must "
    "predict."
)
STATIC_DYNAMIC = N_(
    "Static: masks are drawn once, before training, and stay the same in every "
    "epoch; BERT drew ten for each text. Dynamic: they are drawn anew in every "
    "epoch (RoBERTa: Liu et al. 2019, section 4.1), so almost every token gives a"
    " loss sooner or later."
)
ONE_DRAW = N_("Click a row to see its draw above.")
FATES = {
    TokenFate.MASKED: N_("“{text}” was chosen and masked."),
    TokenFate.RANDOM: N_("“{text}” was chosen and replaced by a random token: {seen}."),
    TokenFate.UNCHANGED: N_("“{text}” was chosen and left as it is, but predicted all the same."),
}
FATE_COLOURS = {
    TokenFate.MASKED: ("mask", "mask_fill"),
    TokenFate.RANDOM: ("danger", "surface"),
    TokenFate.UNCHANGED: ("positive", "surface"),
}
"""Edge and ground of a chosen token, by their names in the theme."""


def parts(
    result: MaskingPolicyResult, request: MaskingPolicyRequest | None = None, draw: int = 0
) -> Iterator[Said | Losses | OwnPicture]:
    """One draw in full, and the draws of many epochs.

    Args:
        result: The answer.
        request: What was asked.
        draw: The number of the draw that is shown in full.
    """
    request, number = request or MaskingPolicyRequest(""), min(draw, len(result.draws) - 1)
    shown = result.draws[number]
    yield Said(verdict(result, shown, number), Manner.PLAIN)
    yield Losses(
        result.tokens,
        tuple(_loss(result, one) for one in shown.chosen),
        legend=tuple((said, *FATE_COLOURS[fate]) for fate, said in legend(request)),
    )
    policy = POLICY.entry(request.policy.value).tip
    yield Said(result.note, near=True)
    yield Said(policy, Manner.ABOUT, near=True)
    yield OwnPicture(EPOCHS, title=N_("Over epochs"))
    yield Said(STATIC_DYNAMIC, Manner.EXPLANATION)
    yield Said(ONE_DRAW, Manner.HINT, near=True)
    yield Said(WHY_THREE, Manner.ABOUT, near=True)


def _loss(result: MaskingPolicyResult, one: SelectedToken) -> Loss:
    seen = "" if one.fate is TokenFate.MASKED else word_or_piece(one.seen)
    text = readable(result.tokens[one.position].text)
    words = Phrase(
        N_(
            "{chosen}\nThe model expects “{word}” ({in_digits}); the right token is number "
            "{rank}, and its loss is {loss} nats."
        ),
        chosen=Phrase(FATES[one.fate], text=text, seen=seen),
        word=visible(one.prediction.word),
        in_digits=in_digits(one.prediction.probability),
        rank=one.rank,
        loss=decimal(one.loss, 3),
    )
    colours = FATE_COLOURS[one.fate]
    return Loss(one.position, one.loss, one.prediction, one.rank, words, SeenToken(seen, *colours))


def verdict(result: MaskingPolicyResult, draw: Draw, number: int) -> Phrase:
    """What is learned from one draw."""
    tokens, chosen = len(result.candidates), len(draw.chosen)
    said = Phrase(
        NN_(
            "Draw {number}: {count} token of {tokens} is chosen, and only it gives a training "
            "signal: a loss of {loss} nats.",
            "Draw {number}: {count} tokens of {tokens} are chosen, and only these give a training "
            "signal: a loss of {loss} nats on average.",
        ),
        count=chosen,
        number=number + 1,
        tokens=tokens,
        loss=decimal(draw.loss, 2),
    )
    if chosen == tokens:
        return said
    rest = Phrase(
        N_(
            "The other {others} teach the masked language model nothing this time. "
            "Replaced-token detection (ELECTRA) would learn from all {tokens}: each is "
            "either original or replaced."
        ),
        others=tokens - chosen,
        tokens=tokens,
    )
    return Phrase.joined([said, rest])


def legend(request: MaskingPolicyRequest) -> tuple[tuple[TokenFate, Phrase], ...]:
    """The fates with their shares."""
    rest = max(0.0, 1.0 - request.masked - request.random)
    masked, random, unchanged = (
        round(share * 100) for share in (request.masked, request.random, rest)
    )
    return (
        (TokenFate.MASKED, Phrase(N_("{masked} % of the chosen become [MASK]"), masked=masked)),
        (TokenFate.RANDOM, Phrase(N_("{random} % a random token"), random=random)),
        (TokenFate.UNCHANGED, Phrase(N_("{rest} % stay as they are"), rest=unchanged)),
    )
