"""How probable every token of a text is: each is hidden in its turn, or read from the left."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from explorer.questions.masking.hiding import HIDING, ScoringMethod
from explorer.questions.masking.surprises import TokenSurprisal, surprises_of, word_numbers
from explorer.text import N_
from explorer.text.lists import any_of

TYPED = tuple(str(entry.value).replace("_", "-") for entry in HIDING.entries)
"""The ways of a model that sees both sides, as they are typed."""


@dataclass(frozen=True)
class TextToScore:
    """A text whose tokens are predicted.

    Attributes:
        text: The text.
        pair: A second one, or None.
        method: What is hidden with a token; a model that reads from the left takes no notice.
        top_k: Predictions that are kept at each token.
    """

    text: str
    pair: str | None = None
    method: ScoringMethod = ScoringMethod.ORIGINAL
    top_k: int = 1


@dataclass(frozen=True)
class TextScored:
    """How probable its tokens are.

    Attributes:
        encoded: The model's input.
        method: What was hidden.
        surprises: In the order of the input; special, unknown and typed mask tokens have none.
        passes: How often the input was read.
    """

    encoded: Encoded
    method: ScoringMethod
    surprises: tuple[TokenSurprisal, ...]
    passes: int


def score_texts(
    model: LoadedModel, texts: Sequence[TextToScore], context: Context
) -> tuple[TextScored | UserMistake, ...]:
    """Score texts; those of one length share passes. A mistake in one stands in its place.

    Raises:
        Unavailable: The model has no head that predicts tokens, or sees both sides and is asked
            from left to right.
        MachineFault: There is not enough memory even for one copy, or the logits are no numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    context.check()
    predictor = model.port(Predictor)
    methods = [method_of(predictor, one.method) for one in texts]
    inputs: dict[int, Encoded] = {}
    failed: dict[int, UserMistake] = {}
    for number, one in enumerate(texts):
        try:
            inputs[number] = encoded_to_score(model, predictor, one)
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
            found[number] += surprises_of(model, rows, tokens, query.asked, texts[number].top_k)
    return tuple(
        failed[number]
        if number in failed
        else TextScored(
            inputs[number],
            methods[number],
            tuple(sorted(found[number], key=lambda one: one.position)),
            sources.count(number),
        )
        for number in range(len(texts))
    )


def method_of(predictor: Predictor, asked: ScoringMethod) -> ScoringMethod:
    """How a model is asked.

    Raises:
        Unavailable: It sees both sides and is to read from the left.
    """
    if predictor.direction is Direction.CAUSAL:
        return ScoringMethod.LEFT_TO_RIGHT
    if asked is ScoringMethod.LEFT_TO_RIGHT:
        raise Unavailable(
            N_("{who} sees both sides of a token, so from left to right it would see that too."),
            N_("Ask with {methods}, which hide it, or ask a model that reads from the left."),
            who=predictor.who,
            methods=any_of([f"--method {name}" for name in TYPED]),
        )
    return asked


def encoded_to_score(model: LoadedModel, predictor: Predictor, given: TextToScore) -> Encoded:
    """A text as its tokens are asked about.

    Raises:
        UserMistake: There is no token to ask about, or a gap or a second text for a model that
            reads one text from the left.
    """
    check_text(given.text)
    causal = predictor.direction is Direction.CAUSAL
    if causal and given.pair:
        raise UserMistake(
            N_("{who} reads one text."),
            N_("Put both into one text, or take the second away."),
            who=predictor.who,
        )
    encoded = model.encode(given.text, given.pair, begin=True)
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
