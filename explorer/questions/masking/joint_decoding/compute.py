"""Whole fillings of several masks with the model's numbers beside them."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    LoadedModel,
    Prediction,
    Predictor,
    Token,
    UserMistake,
)
from explorer.hf.predict.fillings import Filling as Pieces
from explorer.hf.predict.fillings import MaskQuery, Reader
from explorer.hf.predict.masked_text import answers_of, masked_input
from explorer.hf.predict.passes.prefix import one_text
from explorer.hf.predict.predictions import begins_unspaced, prediction_of, rank_of
from explorer.hf.text.vocabularies.pieces import written_together
from explorer.numerics.distributions.comparing import total_variation
from explorer.numerics.distributions.temperature import entropy, softmax
from explorer.numerics.losses import kl
from explorer.questions.masking.joint_decoding.question import (
    DecodingMethod,
    Dependence,
    Filling,
    FillingStep,
    JointDecodingRequest,
    JointDecodingResult,
    check,
)
from explorer.questions.masking.joint_decoding.search import (
    FillingPath,
    beam,
    confident,
    evaluate,
    independent,
)
from explorer.questions.masking.joint_decoding.spans import fill_spans_jointly
from explorer.text import N_, Phrase

SIDE = 8
"""Rows and columns of the picture of two masks."""

LEAKS_LENGTH = Phrase(
    N_(
        "A word that is masked whole becomes one mask for each piece, so the model "
        "knows how many pieces it looks for."
    )
)


def fill(
    model: LoadedModel, encoded: Encoded, request: JointDecodingRequest, context: Context
) -> JointDecodingResult:
    """Fill the masks of an input.

    Raises:
        UserMistake: The model reads from the left, and another way was asked for.
    """
    import torch

    order = full_order(request, len(encoded.mask_positions))
    if model.port(Predictor).direction is Direction.SPANS:
        return fill_spans_jointly(model, encoded, request, order, context)
    reader = Reader(model, encoded, context)
    if reader.from_left:
        _check_left(reader, request, order)
        alone = None
    else:
        alone = reader.read([_all_masked(reader, range(reader.masks))])[0]
    paths, order = _search(reader, alone, request, order, context)
    apart = independent(alone, 1) if alone is not None else []
    every, seen = evaluate(reader, [path.ids for path in paths] + apart, order)
    made = [_filling(model, encoded, path, alone) for path in every]
    found = sorted(made[: len(paths)], key=lambda one: -one.log_joint)
    if request.method is DecodingMethod.INDEPENDENT:
        found = made[: len(paths)]  # in the order of their product
    best = max(range(len(paths)), key=lambda n: every[n].total)
    best = 0 if request.method is DecodingMethod.INDEPENDENT else best
    marginals: tuple[Any, ...] = ()
    if alone is not None:
        with torch.inference_mode():
            positions = list(encoded.mask_positions)
            marginals = answers_of(model, encoded.tokens, alone, positions, request.top_k)
    return JointDecodingResult(
        model=model.stamp,
        tokens=encoded.tokens,
        method=request.method,
        order=order,
        gaps=gaps_of(encoded.tokens),
        alone=marginals,
        independent=made[-1] if alone is not None else None,
        fillings=tuple(found[: request.top_k]),
        steps=tuple(
            _step(model, encoded, mask, row, None if alone is None else alone[mask], request.top_k)
            for mask, row in zip(order, seen[best], strict=True)
        ),
        dependence=_dependence(model, encoded, reader, alone, order),
        left_out=encoded.left_out,
        note=_note(reader, encoded),
    )


def full_order(request: JointDecodingRequest, masks: int) -> tuple[int, ...]:
    """Every mask once: those that were named first, the others in reading order."""
    named = request.order if request.method in (DecodingMethod.BY_HAND, DecodingMethod.BEAM) else ()
    return tuple(dict.fromkeys([*(n for n in named if 0 <= n < masks), *range(masks)]))


def gaps_of(tokens: Sequence[Token]) -> tuple[tuple[int, ...], ...]:
    """Numbers of the masks of each gap: the masked pieces of one word stand in one gap."""
    gaps: list[list[int]] = []
    number = 0
    for i, token in enumerate(tokens):
        if not token.masked:
            continue
        if token.joined and i and tokens[i - 1].masked and gaps:
            gaps[-1].append(number)
        else:
            gaps.append([number])
        number += 1
    return tuple(tuple(gap) for gap in gaps)


def _check_left(reader: Reader, request: JointDecodingRequest, order: Sequence[int]) -> None:
    in_order = list(order) == sorted(order)
    if request.method in (DecodingMethod.LEFT_TO_RIGHT, DecodingMethod.BEAM) and in_order:
        return
    raise UserMistake(
        N_("{who} reads from the left, so it can fill masks in reading order only."),
        N_("Choose left to right, or beam search in the order of the text."),
        who=reader.who,
    )


def _all_masked(reader: Reader, masks: Sequence[int]) -> MaskQuery:
    return MaskQuery((None,) * reader.masks, tuple(masks))


def _search(
    reader: Reader,
    alone: Any,
    request: JointDecodingRequest,
    order: tuple[int, ...],
    context: Context,
) -> tuple[tuple[FillingPath, ...], tuple[int, ...]]:
    """Fillings, and the order in which they were filled."""
    if request.method is DecodingMethod.CONFIDENT:
        path, order = confident(reader, context)
        return (path,), order
    if request.method is DecodingMethod.INDEPENDENT:
        ids = independent(alone, request.top_k)
        return tuple(FillingPath(one, (), ()) for one in ids), order
    width = request.width if request.method is DecodingMethod.BEAM else 1
    return beam(reader, order, width, context), order


def _filling(model: LoadedModel, encoded: Encoded, path: FillingPath, alone: Any) -> Filling:
    chosen = _predictions(model, encoded, path.ids, path.logs, path.ranks)
    beside: tuple[Prediction, ...] = ()
    total = None
    if alone is not None:
        logs = [float(alone[mask, piece]) for mask, piece in enumerate(path.ids)]
        ranks = [rank_of(alone[mask], piece) for mask, piece in enumerate(path.ids)]
        beside = _predictions(model, encoded, path.ids, logs, ranks)
        total = sum(logs)
    words = tuple(
        written_together(model.tokenizer, [chosen[mask].token for mask in gap])
        for gap in gaps_of(encoded.tokens)
    )
    return Filling(words, chosen, beside, path.total, total)


def _predictions(
    model: LoadedModel,
    encoded: Encoded,
    ids: Sequence[int],
    logs: Sequence[float],
    ranks: Sequence[int],
) -> tuple[Prediction, ...]:
    return tuple(
        prediction_of(
            model,
            piece,
            math.exp(log),
            rank,
            unspaced=begins_unspaced(encoded.tokens, position),
        )
        for position, piece, log, rank in zip(encoded.mask_positions, ids, logs, ranks, strict=True)
    )


def _step(
    model: LoadedModel, encoded: Encoded, mask: int, row: Any, alone: Any, top_k: int
) -> FillingStep:
    position = encoded.mask_positions[mask]
    answer = answers_of(model, encoded.tokens, row[None], [position], top_k)[0]
    apart = None if alone is None else _moved(row, alone)
    return FillingStep(
        mask=mask,
        predictions=answer.predictions,
        entropy=answer.entropy,
        entropy_alone=None if alone is None else float(entropy(alone.cpu().numpy())),
        kl=None if apart is None else apart[0],
        total_variation=None if apart is None else apart[1],
    )


def _moved(row: Any, other: Any) -> tuple[float, float]:
    """KL(row || other) in nats and the total variation, of log-probabilities over a vocabulary."""
    p, q = row.cpu().numpy(), other.cpu().numpy()
    return float(kl(p, q)), total_variation(softmax(p), softmax(q))


def _dependence(
    model: LoadedModel, encoded: Encoded, reader: Reader, alone: Any, order: Sequence[int]
) -> Dependence | None:
    """The second mask of an order, given the likeliest pieces at the first."""
    import torch

    if alone is None or len(order) < 2:
        return None
    first, second = order[0], order[1]
    logs, ids = torch.topk(alone[first], min(SIDE, alone.shape[-1]))
    questions = []
    for piece in ids.tolist():
        filling: list[int | None] = [None] * reader.masks
        filling[first] = piece
        questions.append(MaskQuery(_frozen(filling), (second,)))
    rows = torch.cat(reader.read(questions))
    weights = logs.exp()[:, None]
    joint, apart = weights * rows.exp(), weights * alone[second].exp()
    # A column matters where either way of counting gives it much.
    best = torch.maximum(joint.max(dim=0).values, apart.max(dim=0).values)
    columns = torch.topk(best, min(SIDE, len(best))).indices
    columns = columns[torch.argsort(joint.sum(dim=0)[columns], descending=True)]
    moved = [_moved(row, alone[second]) for row in rows]
    positions = encoded.mask_positions
    beginning = [begins_unspaced(encoded.tokens, positions[mask]) for mask in (first, second)]

    def predictions(mask: int, pieces: Sequence[int]) -> tuple[Prediction, ...]:
        row = alone[mask]
        return tuple(
            prediction_of(
                model,
                piece,
                math.exp(float(row[piece])),
                rank_of(row, piece),
                unspaced=beginning[0 if mask == first else 1],
            )
            for piece in pieces
        )

    return Dependence(
        first=first,
        second=second,
        rows=predictions(first, ids.tolist()),
        columns=predictions(second, columns.tolist()),
        given=_array(rows.exp()[:, columns]),
        joint=_array(joint[:, columns]),
        independent=_array(apart[:, columns]),
        kl=np.array([one[0] for one in moved], dtype=np.float32),
        total_variation=np.array([one[1] for one in moved], dtype=np.float32),
    )


def _frozen(filling: list[int | None]) -> Pieces:
    return tuple(filling)


def _array(values: Any) -> "np.ndarray[Any, np.dtype[np.float32]]":
    return np.array(values.float().cpu().numpy(), dtype=np.float32)


def _note(reader: Reader, encoded: Encoded) -> Phrase:
    notes = []
    if reader.from_left:
        notes.append(
            Phrase(
                N_(
                    "{who} reads from the left: a filling's probability is that of these words "
                    "after what comes before them; what follows a mask is not seen."
                ),
                who=reader.who,
            )
        )
    if any(len(gap) > 1 for gap in gaps_of(encoded.tokens)):
        notes.append(LEAKS_LENGTH)
    return Phrase.joined(notes)


def run(model: Any, request: JointDecodingRequest, context: Context) -> JointDecodingResult:
    """Fill the masks in the way that was asked for; many fillings go through the model at once.

    Raises:
        Unavailable: The model has no head that predicts tokens.
        UserMistake: The text is empty, nothing is masked, or the model cannot fill in this order.
        Cancelled: The run was cancelled; checked before every layer.
    """
    predictor = model.port(Predictor)
    check(request)
    encoded = masked_input(model, request, context)
    with one_text(predictor):
        return fill(model, encoded, request, context)
