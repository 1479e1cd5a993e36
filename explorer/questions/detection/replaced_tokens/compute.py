"""A generator and a discriminator at work: what is proposed and drawn, and what is noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.api.question import (
    GENERATOR,
    BidirectionalPredictor,
    Context,
    Discriminator,
    LoadedModel,
    Prediction,
    Query,
    Token,
    Unavailable,
)
from explorer.hf.text.encoding import input_of, tokens_of
from explorer.hf.text.vocabularies.pieces import vocabulary_hash, written
from explorer.numerics.distributions.temperature import entropy, log_softmax, softmax
from explorer.numerics.evaluation.outcomes import binary_cross_entropy, count, sigmoid
from explorer.numerics.evaluation.roc import roc
from explorer.questions.detection.replaced_tokens.corruption import (
    CorruptedText,
    CorruptionSource,
    with_words,
)
from explorer.questions.detection.replaced_tokens.question import (
    DetectionLosses,
    ReplacedTokensResult,
    check,
)
from explorer.text import N_

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from explorer.questions.detection.replaced_tokens.question import (
        ChosenToken,
        ReplacedTokensRequest,
    )


def difference(one: Any, other: Any) -> str:
    """How two tokenizers' vocabularies differ; "" where every piece has the same number in both.

    They are compared by what is in them: two files of different names may well be the same.
    """
    mine, yours = one.get_vocab(), other.get_vocab()
    if mine == yours:
        return ""
    if len(mine) != len(yours):
        return f"{len(yours):,} pieces against {len(mine):,}"
    number, piece = min((n, p) for p, n in mine.items() if yours.get(p) != n)
    theirs = next((p for p, n in yours.items() if n == number), None)
    return f'number {number} is "{theirs}" in the one and "{piece}" in the other'


def refuse_strangers(discriminator: LoadedModel, generator: LoadedModel) -> None:
    """Take a generator only if its tokens are the discriminator's.

    Raises:
        Unavailable: It fills no masks, or its vocabulary is another one.
    """
    name = generator.title
    if BidirectionalPredictor not in generator.ports:
        raise Unavailable(
            N_("{name} can't be the generator: it does not fill masks token by token."),
            N_("Load a masked language model with the discriminator's vocabulary."),
            name=name,
        )
    # Comparing 128,000 pieces takes a while; their hashes are kept.
    if vocabulary_hash(discriminator.tokenizer) != vocabulary_hash(generator.tokenizer):
        differs = difference(discriminator.tokenizer, generator.tokenizer)
        raise Unavailable(
            N_(
                "{name} can't be the generator of {model}: their vocabularies differ "
                "({differs}), so what one writes the other could not read."
            ),
            N_("Load a masked language model with the discriminator's vocabulary."),
            name=name,
            model=discriminator.title,
            differs=differs,
        )


def generate(
    pair: tuple[LoadedModel, LoadedModel],
    source: CorruptionSource,
    wanted: Mapping[int, int],
    request: ReplacedTokensRequest,
    context: Context,
) -> tuple[ChosenToken, ...]:
    """What the generator expects at the masked tokens, and what is drawn.

    A token is drawn by inverting the distribution at a number from [0, 1) that belongs to its
    position: the same seed draws the same, and a changed temperature moves draws only as far as
    it moves the distribution.

    Args:
        pair: Discriminator and generator.
        source: The sentence and which of its tokens are masked.
        wanted: The pieces that the user puts in the place of a draw, by position.
        request: How to draw.
        context: Of the run.

    Returns:
        A choice for every masked token, its position in the sentence as it was.

    Raises:
        Unavailable: The generator is no match for the discriminator.
        MachineFault: Its logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    from explorer.questions.detection.replaced_tokens.question import ChosenToken

    discriminator, generator = pair
    refuse_strangers(discriminator, generator)
    _refuse_another_cut(generator, source, request)
    rows = masked_rows(generator, source, context)
    found: list[ChosenToken] = []
    for row, position in zip(rows, source.masked, strict=True):
        chances = softmax(row, request.temperature)
        was = source.tokens[position].id
        number = wanted.get(position)
        drawn = number is None
        if number is None and request.greedy:
            number = int(chances.argmax())
        elif number is None:
            number = _drawn(chances, source.uniform[position])
        # A stable sort gives equal chances the same order everywhere.
        best = np.argsort(-chances, kind="stable")[: request.top_k].tolist()
        found.append(
            ChosenToken(
                position,
                drawn=drawn,
                proposals=tuple(_told(generator, chances, one) for one in best),
                original=_told(generator, chances, was),
                sampled=_told(generator, chances, number),
                entropy=float(entropy(row, request.temperature)),
                loss=float(-log_softmax(row)[was]),
            )
        )
    return tuple(found)


def _drawn(chances: NDArray[np.float64], uniform: float) -> int:
    """The piece at which the sum of all chances so far passes a number from [0, 1)."""
    steps = np.cumsum(chances)
    return min(int(np.searchsorted(steps, uniform * steps[-1], side="right")), len(chances) - 1)


def _told(model: LoadedModel, chances: NDArray[np.float64], number: int) -> Prediction:
    chance = float(chances[number])
    # Ties are ranked by number, as they are shown.
    rank = int((chances > chance).sum() + (chances[:number] == chance).sum()) + 1
    piece = model.tokenizer.convert_ids_to_tokens(number)
    if piece is None:  # rows of the embedding that no piece uses
        return Prediction(f"<{number}>", number, chance, f"<{number}>", rank)
    return Prediction(piece, number, chance, written(model.tokenizer, piece), rank)


def masked_rows(
    generator: LoadedModel, source: CorruptionSource, context: Context
) -> NDArray[np.float32]:
    """The generator's log-probabilities at the masked tokens (masked x vocabulary, float32).

    Raises:
        MachineFault: They are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    encoded = input_of(generator, source.tokens, source.types, None)
    query = Query(encoded, tuple(source.masked), dict.fromkeys(source.masked))
    rows = generator.port(BidirectionalPredictor).log_probabilities([query], context)[0]
    found: NDArray[np.float32] = rows.cpu().numpy()
    return found


def _refuse_another_cut(
    generator: LoadedModel, source: CorruptionSource, request: ReplacedTokensRequest
) -> None:
    """The same vocabulary may still be applied differently, as with and without capitals."""
    cut, _, _ = tokens_of(generator.tokenizer, request.text, request.pair, (), source.limit)
    if [token.id for token in cut] != [token.id for token in source.tokens]:
        mine, yours = _first_different(source.tokens, cut)
        raise Unavailable(
            N_(
                '{id} splits this text differently from the discriminator ("{yours}" where '
                'that has "{mine}").'
            ),
            N_("Load a masked language model with the discriminator's tokenizer."),
            id=generator.title,  # a place of the text that logs hold
            yours=yours,
            mine=mine,
        )


def _first_different(one: Sequence[Token], other: Sequence[Token]) -> tuple[str, str]:
    for mine, yours in zip(one, other, strict=False):
        if mine.id != yours.id:
            return mine.text, yours.text
    shorter = min(len(one), len(other))
    return tuple(  # type: ignore[return-value]
        cut[shorter].text if len(cut) > shorter else "nothing" for cut in (one, other)
    )


def judge(discriminator: LoadedModel, corrupted: CorruptedText, context: Context) -> list[float]:
    """The discriminator's logits, a token each; above zero means replaced.

    Raises:
        Unavailable: The model has no replaced-token head.
        MachineFault: They are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    encoded = input_of(discriminator, corrupted.tokens, corrupted.types, None)
    logits = discriminator.port(Discriminator).logits(encoded, context)
    return [float(one) for one in logits]


def run(model: Any, request: ReplacedTokensRequest, context: Context) -> ReplacedTokensResult:
    """Mask, draw, put in, judge (Clark et al. 2020, section 2).

    The generator sees the chosen tokens masked, all at once, and one token is drawn for each from
    softmax(logits / temperature). The discriminator reads the result. What was drawn depends on
    the seed, the position and the generator alone.

    Raises:
        Unavailable: The model has no replaced-token head with weights of its own, or the pair
            does not share a vocabulary.
        UserMistake: The text is empty, or something in the request can't be.
    """
    generator = context.models.get(GENERATOR)
    check(request, has_generator=generator is not None)
    context.check()
    source = CorruptionSource.read(model, generator, request)
    words = with_words(model.tokenizer, source, request)
    proposed: tuple[ChosenToken, ...] = ()
    if generator is not None:
        pair = (model, generator)
        proposed = generate(pair, source, words.wanted, request, context)
    corrupted = words.with_draws(proposed)
    logits = judge(model, corrupted, context)
    return _result(model, generator, source, corrupted, proposed, logits)


def _result(
    discriminator: Any, generator: Any, source: Any, corrupted: Any, proposed: Any, logits: Any
) -> ReplacedTokensResult:
    probability = tuple(sigmoid(logit) for logit in logits)
    chosen = corrupted.choices(proposed)
    masked = [choice.loss for choice in proposed]
    losses = DetectionLosses(
        sum(masked) / len(masked) if masked else None,
        binary_cross_entropy(logits, corrupted.truth),
    )
    inside = [i for i, token in enumerate(corrupted.tokens) if not token.special]
    judged = [probability[i] for i in inside], [corrupted.truth[i] for i in inside]
    return ReplacedTokensResult(
        model=discriminator.stamp,
        other=None if generator is None else generator.stamp,
        tokens=corrupted.tokens,
        original=corrupted.original,
        original_ids=corrupted.original_ids,
        chosen=chosen,
        logits=tuple(logits),
        probability=probability,
        truth=corrupted.truth,
        losses=losses,
        counts=count(*judged),
        curve=roc(*judged),
        masked_tokens=len(masked),
        left_out=source.left_out,
    )
