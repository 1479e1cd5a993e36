"""The probability of every token of a text: `SurprisalRequest`'s answer.

A model that was trained on masks has every token hidden in turn, in as few passes as memory
allows; one that reads from the left gives all of them in one pass.
"""

import math
from collections.abc import Sequence
from typing import Any

from explorer.api.question import Context, LoadedModel, Predictor, Token, UserMistake
from explorer.questions.masking.hidden_in_turn import TextScored, TextToScore, score_texts
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.masking.surprisal.question import SurprisalRequest, SurprisalResult
from explorer.text import N_, NN_, Phrase


def run_many(
    model: LoadedModel, requests: Sequence[SurprisalRequest], context: Context
) -> tuple[SurprisalResult | Exception, ...]:
    """Answer requests; those of one length share passes. An error that one met stands in its place.

    Raises:
        Unavailable: The model has no head that predicts tokens, or sees both sides and is asked
            from left to right.
        MachineFault: There is not enough memory even for one copy, or the logits are no numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    texts = [TextToScore(one.text, one.pair, one.method, one.top_k) for one in requests]
    return tuple(
        one if isinstance(one, UserMistake) else _result(model, one)
        for one in score_texts(model, texts, context)
    )


def _result(model: LoadedModel, scored: TextScored) -> SurprisalResult:
    encoded, surprises = scored.encoded, scored.surprises
    total = math.fsum(one.log_probability for one in surprises)
    return SurprisalResult(
        model=model.stamp,
        tokens=encoded.tokens,
        method=scored.method,
        surprises=surprises,
        log_likelihood=total,
        perplexity=math.exp(min(-total / len(surprises), 700.0)),
        passes=scored.passes,
        left_out=encoded.left_out,
        note=_note(model, encoded.tokens, scored.method),
    )


def _note(model: LoadedModel, tokens: Sequence[Token], method: ScoringMethod) -> Phrase:
    notes = []
    unknown = sum(token.unknown and not token.special for token in tokens)
    if unknown:
        notes.append(
            Phrase(
                NN_(
                    "{count} token is unknown to the vocabulary and not counted.",
                    "{count} tokens are unknown to the vocabulary and not counted.",
                ),
                count=unknown,
            )
        )
    if any(token.masked for token in tokens):
        notes.append(Phrase(N_("A typed [MASK] stays masked and is not counted.")))
    if method is ScoringMethod.LEFT_TO_RIGHT and not tokens[0].special:
        who = model.port(Predictor).who
        notes.append(
            Phrase(
                N_("The first token is not counted: {who} has nothing before it to go by."), who=who
            )
        )
    return Phrase.joined(notes)


def run(model: Any, request: SurprisalRequest, context: Context) -> SurprisalResult:
    """Hide every token in turn and read its probability.

    Raises:
        Unavailable: The model has no head to predict tokens with, or sees both sides and is asked
            from left to right.
        UserMistake: There is no text, or no token in it to ask about.
        MachineFault: There is not enough memory even for one pass.
        Cancelled: The run was cancelled; checked before every layer.
    """
    answer = run_many(model, (request,), context)[0]
    if isinstance(answer, Exception):
        raise answer
    return answer
