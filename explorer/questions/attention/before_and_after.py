"""A model's predictions as it is, and while something in it is changed."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from explorer.api.question import (
    Context,
    Direction,
    Discriminator,
    Encoded,
    LoadedModel,
    MaskPredictions,
    Prediction,
    Predictor,
    SpanPredictor,
    Unavailable,
    check_text,
    check_top_k,
)
from explorer.api.question.parts.predictions.changes import (
    MaskChange,
    PredictionChanges,
    WordChange,
)
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.predict.masked_text import answers_of, check_masked, note_of, refuse_pair
from explorer.hf.predict.predictions import rank_of
from explorer.hf.predict.span_fillings import fill_spans, scored
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.text import N_
from explorer.text.phrase import NOTHING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Intervention = Callable[[], AbstractContextManager[object]]
"""Changes a model for as long as its block runs."""

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Filled:
    """What a model predicts at the masks of an input.

    Attributes:
        masks: In the order of the input.
        rows: Log-probabilities, tensor (masks x vocabulary); None for a model that writes spans,
            whose answers are what its search found.
    """

    masks: tuple[MaskPredictions, ...]
    rows: Any | None

    def row(self, mask: int) -> Any | None:
        """Of one mask."""
        return None if self.rows is None else self.rows[mask]


def before_and_after(
    model: LoadedModel,
    request: MaskedTokensRequest,
    intervene: Intervention | None,
    context: Context,
) -> PredictionChanges:
    """Predict masked tokens, or judge which were replaced, twice.

    Args:
        model: Of any family.
        request: What is predicted; with nothing masked, only a discriminator answers.
        intervene: What is different the second time; None leaves it as it is.
        context: Can stop it.

    Raises:
        Unavailable: The model has no head to predict with.
        UserMistake: Nothing is masked.
        Cancelled: The run was cancelled; checked before every layer.
    """
    fills, judges = Predictor in model.ports, Discriminator in model.ports
    if not fills and not judges:
        raise Unavailable(
            N_("This checkpoint has no head whose predictions could change."),
            N_("Load one that fills masks or detects replaced tokens."),
        )
    encoded = encode(model, request)
    if not judges and not encoded.mask_positions:
        check_masked(encoded)
    masks: tuple[MaskChange, ...] = ()
    note = NOTHING
    if fills and encoded.mask_positions:
        was, now = _twice(partial(filled, model, request, context), intervene)
        masks = tuple(_change(was, now, number) for number in range(len(was.masks)))
        note = note_of(model.port(Predictor), encoded)
    before = after = None
    if judges:
        before, after = _twice(partial(judged, model, encoded, context), intervene)
    return PredictionChanges(encoded.tokens, masks, before, after, encoded.left_out, note)


def encode(model: LoadedModel, request: MaskedTokensRequest) -> Encoded:
    """What the model sees of a request's text."""
    return model.encode(request.text, request.pair, request.masks, languages=request.languages)


def _twice(answer: Callable[[], Answer], intervene: Intervention | None) -> tuple[Answer, Answer]:
    before = answer()
    if intervene is None:
        return before, before
    with intervene():
        return before, answer()


def filled(model: LoadedModel, request: MaskedTokensRequest, context: Context) -> Filled:
    """What the model expects at every mask.

    Raises:
        UserMistake: There is a second text for a model that reads one.
    """
    predictor = model.port(Predictor)
    check_text(request.text)
    check_top_k(request.top_k)
    refuse_pair(predictor, request.pair)
    context.check()
    encoded = encode(model, request)
    if predictor.direction is Direction.SPANS:
        return Filled(fill_spans(model, encoded, request.top_k, context), None)
    rows = rows_at_masks(predictor, encoded, context)
    positions = encoded.mask_positions
    return Filled(answers_of(model, encoded.tokens, rows, positions, request.top_k), rows)


def judged(model: LoadedModel, encoded: Encoded, context: Context) -> "NDArray[np.float32]":
    """A discriminator's probability that each token was replaced, float32.

    Raises:
        Unavailable: The model has no such head.
    """
    logits = model.port(Discriminator).logits(encoded, context)
    chances: NDArray[np.float32] = logits.sigmoid().cpu().numpy()
    return chances


Key = tuple[int, ...]


def _key(one: Prediction) -> Key:
    return one.ids or (one.id,)


def _known(mask: MaskPredictions) -> dict[Key, Prediction]:
    """What an answer names: the most probable, and what stood under the mask."""
    named = (*mask.predictions, *([mask.original] if mask.original is not None else []))
    return {_key(one): one for one in named}


def _change(was: Filled, now: Filled, number: int) -> MaskChange:
    """Of one mask: the top k of both answers, and the original."""
    before, after = was.masks[number], now.masks[number]
    earlier, later = _known(before), _known(after)
    words = []
    for key, one in {**later, **earlier}.items():
        chance, rank = _found(was.row(number), earlier.get(key), one)
        chance_now, rank_now = _found(now.row(number), later.get(key), one)
        words.append(
            WordChange(
                word=one.word,
                token=one.token,
                id=one.id,
                before=chance,
                after=chance_now,
                rank_before=rank,
                rank_after=rank_now,
                is_original=one.is_same(before.original),
            )
        )
    words.sort(key=_most_probable_first)
    return MaskChange(before.position, tuple(words), before.entropy, after.entropy)


def _found(
    row: Any | None, named: Prediction | None, word: Prediction
) -> tuple[float | None, int | None]:
    """A word's probability and rank in one answer; None where a search did not find a span."""
    if row is not None:
        return float(row[word.id].exp()), rank_of(row, word.id)
    return (None, None) if named is None else (named.probability, named.rank)


def _most_probable_first(one: WordChange) -> tuple[float, float]:
    """Before, and where it was not found then, after."""
    return (
        -one.before if one.before is not None else 1.0,
        -one.after if one.after is not None else 1.0,
    )


def effect_measure(
    model: LoadedModel, request: MaskedTokensRequest, context: Context
) -> Callable[[], float]:
    """A call that says how far a model's predictions are then from what they are now.

    With masks: how the logarithm of one word's probability changed, in nats, the mean over the
    masks. The word is what stood under the mask, else the one that is most probable now; a span
    is followed by its pieces, each after those before it. Without: the mean absolute change of a
    discriminator's probabilities.
    """
    encoded = encode(model, request)
    if Predictor not in model.ports or not encoded.mask_positions:
        before = judged(model, encoded, context)
        return lambda: float(abs(judged(model, encoded, context) - before).mean())
    if model.port(Predictor).direction is Direction.SPANS:
        log_chances = _spans_followed(model, request, context)
    else:
        log_chances = _words_followed(model, encoded, context)
    was = log_chances()

    def change() -> float:
        changes = [now - one for one, now in zip(was, log_chances(), strict=True)]
        return sum(changes) / len(changes)

    return change


def _words_followed(
    model: LoadedModel, encoded: Encoded, context: Context
) -> Callable[[], Sequence[float]]:
    """Log-probabilities of one word a mask, whatever has become of the model since."""
    predictor = model.port(Predictor)
    rows = rows_at_masks(predictor, encoded, context)
    originals = [encoded.tokens[position].original for position in encoded.mask_positions]
    words = [
        int(row.argmax()) if original is None else original
        for row, original in zip(rows, originals, strict=True)
    ]

    def followed() -> list[float]:
        now = rows_at_masks(predictor, encoded, context)
        return [float(row[word]) for row, word in zip(now, words, strict=True)]

    return followed


def _spans_followed(
    model: LoadedModel, request: MaskedTokensRequest, context: Context
) -> Callable[[], Sequence[float]]:
    """Log-probabilities of one span a mask, after the spans that were most probable before it."""
    predictor = model.port(SpanPredictor)
    masks = filled(model, request, context).masks
    spans = [_key(mask.original or mask.predictions[0]) for mask in masks]
    best = [_key(mask.predictions[0]) for mask in masks]

    def followed() -> list[float]:
        encoded = encode(model, request)
        return [
            scored(predictor, encoded, best[:number], ids, context).log_probability
            for number, ids in enumerate(spans)
        ]

    return followed
