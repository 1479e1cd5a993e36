"""The probability of every token of a text: `SurprisalRequest`'s answer.

A model that was trained on masks has every token hidden in turn, in as few passes as memory
allows; one that reads from the left gives all of them in one pass.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    Token,
    Unavailable,
    UserMistake,
    check_text,
)
from explorer.hf.predict.rows import in_blocks, part_of
from explorer.questions.masking.surprisal.question import (
    METHOD,
    ScoringMethod,
    SurprisalRequest,
    SurprisalResult,
)
from explorer.questions.masking.surprises import TokenSurprisal, surprises_of, word_numbers
from explorer.text import N_, NN_, Phrase
from explorer.text.lists import any_of

HIDING = tuple(str(entry.value).replace("_", "-") for entry in METHOD.entries)
"""The ways of a model that sees both sides, as they are typed."""


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
    context.check()
    predictor = model.port(Predictor)
    methods = [_method(predictor, request) for request in requests]
    inputs: dict[int, Encoded] = {}
    failed: dict[int, Exception] = {}
    for number, request in enumerate(requests):
        try:
            inputs[number] = _input(model, predictor, request)
        except UserMistake as error:
            failed[number] = error
    sources: list[int] = []
    queries: list[Query] = []
    for number, encoded in inputs.items():
        own = list(queries_of(encoded, methods[number]))
        queries += own
        sources += [number] * len(own)
    found: dict[int, list[TokenSurprisal]] = {number: [] for number in inputs}
    for block in in_blocks([len(query.asked) for query in queries], model, context):
        part = part_of(context, N_("masking every token"), block.start, len(queries))
        answers = predictor.log_probabilities(queries[block], part)
        for number, query, rows in zip(sources[block], queries[block], answers, strict=True):
            tokens = [query.encoded.tokens] * len(query.asked)
            top_k = requests[number].top_k
            found[number] += surprises_of(model, rows, tokens, query.asked, top_k)
    answered: list[SurprisalResult | Exception] = []
    for number in range(len(requests)):
        if number in failed:
            answered.append(failed[number])
            continue
        surprises = sorted(found[number], key=lambda one: one.position)
        passes = sources.count(number)
        answered.append(_result(model, inputs[number], methods[number], surprises, passes))
    return tuple(answered)


def _method(predictor: Predictor, request: SurprisalRequest) -> ScoringMethod:
    """How a model is asked.

    Raises:
        Unavailable: It sees both sides and is to read from the left.
    """
    if predictor.direction is Direction.CAUSAL:
        return ScoringMethod.LEFT_TO_RIGHT
    if request.method is ScoringMethod.LEFT_TO_RIGHT:
        raise Unavailable(
            N_("{who} sees both sides of a token, so from left to right it would see that too."),
            N_("Ask with {methods}, which hide it, or ask a model that reads from the left."),
            who=predictor.who,
            methods=any_of([f"--method {name}" for name in HIDING]),
        )
    return request.method


def _input(model: LoadedModel, predictor: Predictor, request: SurprisalRequest) -> Encoded:
    check_text(request.text)
    causal = predictor.direction is Direction.CAUSAL
    if causal and request.pair:
        raise UserMistake(
            N_("{who} reads one text."),
            N_("Put both into one text, or take the second away."),
            who=predictor.who,
        )
    encoded = model.encode(request.text, request.pair, begin=True)
    if causal and any(token.masked for token in encoded.tokens):
        raise UserMistake(
            N_("{who} gives the probability of a whole text, and this one has a gap."),
            N_("Put a word in place of [MASK]."),
            who=predictor.who,
        )
    asked = asked_about(encoded.tokens)
    if not asked or (causal and asked == [0]):
        raise UserMistake(
            N_("There is no token to ask about."), N_("Type words that the model knows.")
        )
    return encoded


def asked_about(tokens: Sequence[Token]) -> list[int]:
    """Positions of the text's own tokens that the vocabulary knows."""
    return [
        i
        for i, token in enumerate(tokens)
        if not (token.special or token.masked or token.unknown or token.reserved)
    ]


def queries_of(encoded: Encoded, method: ScoringMethod) -> Iterator[Query]:
    """The queries of one input that a method needs, in the order of what is asked."""
    asked = asked_about(encoded.tokens)
    if method is ScoringMethod.LEFT_TO_RIGHT:
        # The very first token has nothing before it.
        yield Query(encoded, tuple(place for place in asked if place > 0))
        return
    if method is ScoringMethod.ORIGINAL:
        yield from (Query(encoded, (i,), {i: None}) for i in asked)
        return
    words = word_numbers(encoded.tokens)
    together: defaultdict[int, list[int]] = defaultdict(list)
    for i in asked:
        together[words[i]].append(i)
    for pieces in together.values():
        if method is ScoringMethod.WHOLE_WORD:
            yield Query(encoded, tuple(pieces), dict.fromkeys(pieces))
        else:
            yield from (
                Query(encoded, (i,), dict.fromkeys(pieces[n:])) for n, i in enumerate(pieces)
            )


def _result(
    model: LoadedModel,
    encoded: Encoded,
    method: ScoringMethod,
    surprises: Sequence[TokenSurprisal],
    passes: int,
) -> SurprisalResult:
    total = math.fsum(one.log_probability for one in surprises)
    return SurprisalResult(
        model=model.stamp,
        tokens=encoded.tokens,
        method=method,
        surprises=tuple(surprises),
        log_likelihood=total,
        perplexity=math.exp(min(-total / len(surprises), 700.0)),
        passes=passes,
        left_out=encoded.left_out,
        note=_note(model, encoded.tokens, method),
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
