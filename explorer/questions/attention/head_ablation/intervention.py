"""A model's predictions as it is, and while something in it is changed."""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from explorer.api import (
    Context,
    Discriminator,
    Encoded,
    LoadedModel,
    Prediction,
    Predictor,
    Unavailable,
)
from explorer.hf.attention.weights import has_decoder
from explorer.questions.attention.head_ablation.question import Changes, MaskChange, WordChange
from explorer.questions.masking.masked_tokens.compute import fill
from explorer.questions.masking.masked_tokens.question import (
    FillMask,
    FillMaskResult,
    MaskPredictions,
    check_masked,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Intervention = Callable[[], AbstractContextManager[object]]
"""Changes a model for as long as its block runs."""

Answer = TypeVar("Answer")

PLENTY = (300, 3000, 10**7)
"""Predictions asked for, so that what was probable before is found again after; more where so many
were not enough."""


def before_and_after(
    model: LoadedModel, request: FillMask, intervene: Intervention | None, context: Context
) -> Changes:
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
            "This checkpoint has no head whose predictions could change.",
            "Load one that fills masks or tells replaced tokens.",
        )
    encoded = model.encode(request.text, request.pair, request.masks)
    masked = bool(encoded.mask_positions)
    if not judges and not masked:
        check_masked(encoded)
    masks: tuple[MaskChange, ...] = ()
    tokens, left_out, note = encoded.tokens, encoded.left_out, ""
    if fills and masked:
        for plenty in PLENTY if intervene is not None else (request.top_k,):
            was, now = _twice(partial(filled, model, request, plenty, context), intervene)
            if has_decoder(model) or not _lacking(was, now, request.top_k):
                break
        masks = tuple(
            _change(one, other, request.top_k)
            for one, other in zip(was.masks, now.masks, strict=True)
        )
        tokens, left_out, note = was.tokens, was.left_out, was.note
    before = after = None
    if judges:
        before, after = _twice(partial(judged, model, encoded, context), intervene)
    return Changes(tokens, masks, before, after, left_out, note)


def _twice(answer: Callable[[], Answer], intervene: Intervention | None) -> tuple[Answer, Answer]:
    before = answer()
    if intervene is None:
        return before, before
    with intervene():
        return before, answer()


def filled(model: LoadedModel, request: FillMask, top_k: int, context: Context) -> FillMaskResult:
    """The family's own answer; a search for spans is not made wider than it was asked to be."""
    wanted = request.top_k if has_decoder(model) else max(request.top_k, top_k)
    return fill(model, replace(request, top_k=wanted), context)


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
    found = {_key(one): one for one in mask.predictions}
    if mask.original is not None:
        found[_key(mask.original)] = mask.original
    return found


def _shown(was: MaskPredictions, now: MaskPredictions, top_k: int) -> list[Key]:
    """The words to be told of: the top k of both, and the original."""
    keys = [_key(one) for one in (*was.predictions[:top_k], *now.predictions[:top_k])]
    if was.original is not None:
        keys.append(_key(was.original))
    return list(dict.fromkeys(keys))


def _lacking(was: FillMaskResult, now: FillMaskResult, top_k: int) -> bool:
    """Whether a word to be told of was not found again."""
    for one, other in zip(was.masks, now.masks, strict=True):
        keys = _shown(one, other, top_k)
        if not (_known(one).keys() >= set(keys) <= _known(other).keys()):
            return True
    return False


def _change(was: MaskPredictions, now: MaskPredictions, top_k: int) -> MaskChange:
    earlier, later = _known(was), _known(now)

    def order(key: Key) -> tuple[float, float]:
        """The most probable before first."""
        before, after = earlier.get(key), later.get(key)
        return (
            -before.probability if before is not None else 1.0,
            -after.probability if after is not None else 1.0,
        )

    words = [
        _word(earlier.get(key), later.get(key), was.original)
        for key in sorted(_shown(was, now, top_k), key=order)
    ]
    return MaskChange(was.position, tuple(words), was.entropy, now.entropy)


def _word(
    was: Prediction | None, now: Prediction | None, original: Prediction | None
) -> WordChange:
    one = was or now
    assert one is not None
    return WordChange(
        word=one.word,
        token=one.token,
        id=one.id,
        before=was.probability if was is not None else None,
        after=now.probability if now is not None else None,
        rank_before=was.rank if was is not None else None,
        rank_after=now.rank if now is not None else None,
        is_original=one.is_same(original),
    )


def effect_measure(
    model: LoadedModel, request: FillMask, changes: Changes, context: Context
) -> Callable[[], float]:
    """A call that says how far a model's predictions are now from what they were.

    With masks: how the logarithm of one word's probability changed, in nats, the mean over the
    masks. The word is what stood under the mask, else the one that was most probable before.
    Without: the mean absolute change of a discriminator's probabilities.
    """
    words = [
        next((one for one in mask.words if one.is_original), mask.best[0]) for mask in changes.masks
    ]

    def of_masks() -> float:
        total = 0.0
        # What stood under a mask comes with every answer.
        for top_k in (1, *PLENTY) if all(word.is_original for word in words) else PLENTY:
            now = filled(model, request, top_k, context)
            found = [
                next(
                    (
                        p.probability
                        for p in _known(mask).values()
                        if (p.id, p.token) == (word.id, word.token)
                    ),
                    None,
                )
                for mask, word in zip(now.masks, words, strict=True)
            ]
            if None not in found or has_decoder(model):
                break
        for word, after in zip(words, found, strict=True):
            total += _log(after) - _log(word.before)
        return total / len(words)

    def of_tokens() -> float:
        now = judged(model, model.encode(request.text, request.pair, request.masks), context)
        assert changes.replaced_before is not None
        return float(abs(now - changes.replaced_before).mean())

    return of_masks if words else of_tokens


def _log(probability: float | None) -> float:
    return math.log(probability) if probability else -math.inf
