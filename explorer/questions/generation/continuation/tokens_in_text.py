"""The text and its new tokens, each on the colour of its surprisal."""

from explorer.questions.generation.continuation.options import AT
from explorer.questions.generation.continuation.parts import look_at
from explorer.questions.generation.continuation.question import QUESTION, ContinuationResult
from explorer.questions.generation.continuation.wording import about_token, shown_text
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks import Looking, ScoredToken, Shown, pieces_of_tokens

STRONGEST = 5.0
"""Nats of surprisal that have the strongest colour."""


def scored(
    shown: Shown, result: ContinuationResult, *, there: bool = False
) -> tuple[ScoredToken, ...]:
    """The text's tokens and the new ones in reading order; those of a pinned answer do nothing."""
    document = shown.pinned.document if there and shown.pinned is not None else shown.asked
    read = pieces_of_tokens(result.prompt, None if result.gibbs else document)
    found = [
        ScoredToken(
            # A mask, or a sentinel in its place, is what the model reads, and not what is under it.
            one.piece if one.masked and one.piece else one.text or one.piece,
            ("read", n),
            special=one.special,
            joined=one.joined,
        )
        for n, one in enumerate(read)
    ]
    if result.apart:
        found.append(ScoredToken("→", "arrow", special=True))
    chosen = -1 if there else result.step_at(shown.value(AT))
    new = []
    for step, token in enumerate(result.tokens):
        one = ScoredToken(
            shown_text(token),
            ("pinned" if there else "token", step),
            min(1.0, token.surprisal / STRONGEST),
            decimal(token.surprisal, 1),
            below="▲" if step == chosen else "",
            words=about_token(token, step).said,
            act=None if there else Looking(QUESTION, shown).act(look_at(step)),
        )
        new.append(one)
    if not result.gibbs:
        return (*found, *new)
    placed = {token.position: one for token, one in zip(result.tokens, new, strict=True)}
    return tuple(placed.get(n, one) for n, one in enumerate(found))
