"""What the page draws itself: chances of starts and ends, and an answer that was written."""

from collections.abc import Iterator

from explorer.questions.pairs.answer_span.options import WINDOW
from explorer.questions.pairs.answer_span.parts import WRITTEN
from explorer.questions.pairs.answer_span.question import (
    AnswerSpanResult,
    AnswerWindow,
    DecodedToken,
    window_of,
)
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks import (
    Block,
    ScoredToken,
    ScoredTokens,
    Shown,
    heading,
    note,
    pieces_of_tokens,
)


def starts_and_ends(shown: Shown) -> Iterator[Block]:
    """Every token of the window as the first and as the last of an answer."""
    result: AnswerSpanResult = shown.result
    window = result.windows[window_of(result, shown.value(WINDOW))]
    yield heading(_("Where answers begin"))
    yield strip(shown, window, ends=False)
    yield heading(_("Where they end"))
    yield strip(shown, window, ends=True)
    if window.ends.ndim == 2:
        yield note(_("This model looks for the end after each start; these follow the likeliest."))


def strip(shown: Shown, window: AnswerWindow, *, ends: bool) -> ScoredTokens:
    """The chances of every token of a window as an answer's start, or as its end.

    Args:
        shown: The page's.
        window: Whose.
        ends: Those of the end: where the model looks at the start, after the likeliest one.
    """
    starts = window.start_chances()
    of_ends = window.end_chances()[int(starts.argmax())]
    # Starts and ends stand below each other: the same colour is the same probability.
    highest = max(float(starts.max()), float(of_ends.max())) or 1.0
    chances = of_ends if ends else starts
    name = _("end") if ends else _("start")
    tokens = []
    pieces = pieces_of_tokens(shown.result.tokens, shown.asked)[window.first : window.end]
    for number, (piece, chance) in enumerate(zip(pieces, chances.tolist(), strict=True)):
        tokens.append(
            ScoredToken(
                piece.text,
                ("end" if ends else "start", number),
                chance / highest,
                _below(chance),
                words=_(
                    "“{token}” as the {side}: {chance}",
                    token=piece.text,
                    side=name,
                    chance=in_digits(chance),
                ),
                joined=piece.joined,
            )
        )
    return ScoredTokens(tokens, _("Ends") if ends else _("Starts"))


def _below(chance: float) -> str:
    """A chance in few characters; nothing where it is slight."""
    return percent(chance) if chance >= WRITTEN else ""


def written(shown: Shown) -> Iterator[Block]:
    """Its tokens with their probabilities."""
    tokens = [_token(number, one) for number, one in enumerate(shown.result.written)]
    yield ScoredTokens(tokens, _("What it wrote"))


def _token(number: int, one: DecodedToken) -> ScoredToken:
    lines = [
        _("“{token}”: {chance}", token=text, chance=in_digits(chance))
        if text
        else in_digits(chance)
        for text, chance in one.alternatives
    ]
    return ScoredToken(
        one.text or "␣",
        ("written", number),
        one.probability,
        percent(one.probability, 1),
        words="\n".join(lines),
        special=one.ends,
    )
