"""What the view of the training mask says in words."""

from explorer.questions.masking.masking_policy.question import (
    Draw,
    Fate,
    MaskingPolicyRequest,
    MaskingPolicyResult,
)
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import decimal

WHY_THREE = N_(
    "Why not always [MASK]? No text that the model meets after training has one. A random token "
    "now and then teaches it to doubt what it reads, and a token left as it is teaches it that "
    "what it reads may be right; it never knows which tokens it will be asked about."
)
STATIC_DYNAMIC = N_(
    "Static: the masks are drawn once, before training, and met again in every epoch; BERT drew "
    "each text ten times. Dynamic: they are drawn anew each time the text is met (RoBERTa: Liu et "
    "al. 2019, section 4.1), so sooner or later almost every token gives a loss."
)
ONE_DRAW = N_("Click a row to see its draw above.")


def verdict(result: MaskingPolicyResult, draw: Draw, number: int) -> str:
    """What is learned from one draw."""
    tokens, chosen = len(result.candidates), len(draw.chosen)
    others = tokens - chosen
    said = ngettext(
        "Draw {number}: {count} token of {tokens} is chosen, and only it gives a training signal: "
        "a loss of {loss} nats.",
        "Draw {number}: {count} tokens of {tokens} are chosen, and only these give a training "
        "signal: a loss of {loss} nats on average.",
        chosen,
        number=number + 1,
        tokens=tokens,
        loss=decimal(draw.loss, 2),
    )
    if others:
        rest = _(
            "The other {others} teach the masked language model nothing this time. "
            "Replaced-token detection (ELECTRA) would learn from all {tokens}: each is "
            "either original or replaced.",
            others=others,
            tokens=tokens,
        )
        return f"{said} {rest}"
    return said


def legend(request: MaskingPolicyRequest) -> tuple[tuple[Fate, str], ...]:
    """The fates with their shares."""
    rest = max(0.0, 1.0 - request.masked - request.random)
    return (
        (
            Fate.MASKED,
            _("{masked} % of the chosen become [MASK]", masked=round(request.masked * 100)),
        ),
        (Fate.RANDOM, _("{random} % a random token", random=round(request.random * 100))),
        (Fate.UNCHANGED, _("{rest} % stay as they are", rest=round(rest * 100))),
    )


def met(result: MaskingPolicyResult, copies: int | None) -> str:
    """How many tokens ever gave a loss."""
    epochs = len(result.draws)
    trained = result.trained(epochs, copies)
    tokens = len(result.candidates)
    of = ngettext(
        "{trained} of {count} token", "{trained} of {count} tokens", tokens, trained=trained
    )
    return ngettext(
        "{tokens} gave a loss in {count} epoch",
        "{tokens} gave a loss in {count} epochs",
        epochs,
        tokens=of,
    )
