"""What the view of the training mask says in words."""

from explorer.questions.masking.masking_policy.question import (
    Draw,
    Fate,
    TrainingMask,
    TrainingMaskResult,
)

WHY_THREE = (
    "Why not always [MASK]? No text that the model meets after training has one. A random token "
    "now and then teaches it to doubt what it reads, and a token left as it is teaches it that "
    "what it reads may be right; it never knows which tokens it will be asked about."
)
STATIC_DYNAMIC = (
    "Static: the masks are drawn once, before training, and met again in every epoch; BERT drew "
    "each text ten times. Dynamic: they are drawn anew each time the text is met (RoBERTa: Liu et "
    "al. 2019, section 4.1), so sooner or later almost every token gives a loss. Click a row to "
    "see its draw above."
)


def count(number: int, thing: str) -> str:
    """A number with its noun."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def verdict(result: TrainingMaskResult, draw: Draw, number: int) -> str:
    """What is learned from one draw."""
    tokens, chosen = len(result.candidates), len(draw.chosen)
    others = tokens - chosen
    give = "gives" if chosen == 1 else "give"
    said = (
        f"Draw {number + 1}: {count(chosen, 'token')} of {tokens} {'is' if chosen == 1 else 'are'} "
        f"chosen, and only {'it' if chosen == 1 else 'these'} {give} a training signal: a loss of "
        f"{draw.loss:.2f} nats{' on average' if chosen > 1 else ''}."
    )
    if others:
        said += (
            f" The other {others} teach the masked language model nothing this time. "
            f"Replaced-token detection (ELECTRA) would learn from all {tokens}: each is either "
            "original or replaced."
        )
    return said


def legend(request: TrainingMask) -> tuple[tuple[Fate, str], ...]:
    """The fates with their shares."""
    rest = max(0.0, 1.0 - request.masked - request.random)
    return (
        (Fate.MASKED, f"{round(request.masked * 100)} % of the chosen become [MASK]"),
        (Fate.RANDOM, f"{round(request.random * 100)} % a random token"),
        (Fate.UNCHANGED, f"{round(rest * 100)} % stay as they are"),
    )


def met(result: TrainingMaskResult, copies: int | None) -> str:
    """How many tokens ever gave a loss."""
    epochs = len(result.draws)
    trained = result.trained(epochs, copies)
    return (
        f"{trained} of {count(len(result.candidates), 'token')} gave a loss in "
        f"{count(epochs, 'epoch')}"
    )
