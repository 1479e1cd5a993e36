"""Distributions at all masks of a text, whichever way a model reads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from explorer.api.family import Context, Direction, Encoded, Predictor, Query, SpanPredictor
from explorer.hf.predict.passes.prefix import one_text


def rows_at_masks(
    predictor: Predictor,
    encoded: Encoded,
    context: Context,
    positions: Sequence[int] | None = None,
) -> Any:
    """Log-probabilities at the masks of an input, each predicted independently of the others.

    A causal model can't see a mask: its own best guess stands in the place of every mask before
    the one that is predicted, so nothing that the user hid is seen. A model that fills spans
    gives its first piece's distribution, after its best span for every mask before.

    Args:
        predictor: Who predicts.
        encoded: The input.
        context: Can stop it.
        positions: Of the masks that are wanted; None for all.

    Returns:
        Tensor (masks x vocabulary), float32, in the order of the input.

    Raises:
        UserMistake: The model reads from the left and the very first token is masked.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    wanted = tuple(encoded.mask_positions if positions is None else positions)
    if predictor.direction is Direction.BOTH:
        return predictor.log_probabilities([Query(encoded, wanted)], context)[0]
    rows: dict[int, Any] = {}
    with one_text(predictor):
        for position, query in _one_by_one(predictor, encoded, context, max(wanted), rows):
            rows[position] = predictor.log_probabilities([query], context)[0]
    return torch.cat([rows[position] for position in wanted])


def _one_by_one(
    predictor: Predictor,
    encoded: Encoded,
    context: Context,
    last: int,
    rows: Mapping[int, Any],
) -> Iterator[tuple[int, Query]]:
    """Each mask up to the last that is wanted, and the query in which the ones before are filled.

    The rows must hold the answer to one of a causal model before the next is taken.
    """
    pieces: dict[int, int | None] = {}
    written: dict[int, tuple[int, ...]] = {}
    for position in encoded.mask_positions:
        if position > last:
            break
        yield position, Query(encoded, (position,), dict(pieces), dict(written))
        if predictor.direction is Direction.CAUSAL:
            pieces[position] = int(rows[position].argmax())
        elif position != last:
            writer = cast("SpanPredictor", predictor)
            before = list(written.values())
            written[position] = writer.best_spans(encoded, before, 1, context).spans[0].ids


def queries_of(predictor: Predictor, encoded: Encoded, context: Context) -> list[Query]:
    """Queries that ask about every place of an input about which a model can be asked.

    That is all tokens for a model that sees both sides; all but the first for one that reads from
    the left, with its own best guesses in the place of masks; and the masks for one that writes
    spans, each after its best spans for those before; where nothing is masked, such a model is
    asked about every token of the text, each hidden alone.

    Raises:
        UserMistake: The model reads from the left and the very first token is masked.
    """
    if predictor.direction is Direction.BOTH:
        return [Query(encoded, tuple(range(len(encoded.tokens))))]
    masks = encoded.mask_positions
    if predictor.direction is Direction.SPANS and masks:
        return [
            query for _position, query in _one_by_one(predictor, encoded, context, max(masks), {})
        ]
    if predictor.direction is Direction.SPANS:
        own = [n for n, one in enumerate(encoded.tokens) if not (one.special or one.reserved)]
        return [Query(encoded, (place,), {place: None}) for place in own]
    pieces = {}
    if masks:
        best = rows_at_masks(predictor, encoded, context).argmax(dim=-1).tolist()
        pieces = dict(zip(masks, best, strict=True))
    places = tuple(range(1, len(encoded.tokens)))
    return [Query(encoded, places, pieces)] if places else []


def guessed(predictor: Predictor, encoded: Encoded, context: Context) -> Encoded:
    """The input with a model's own best guesses in the place of its masks.

    A guessed token keeps the text "[MASK]" and has the guess's number.
    """
    best = rows_at_masks(predictor, encoded, context).argmax(dim=-1).tolist()
    ids, tokens = encoded.input_ids.clone(), list(encoded.tokens)
    for position, piece in zip(encoded.mask_positions, best, strict=True):
        ids[0, position] = piece
        tokens[position] = replace(tokens[position], id=piece)
    return replace(encoded, inputs={**encoded.inputs, "input_ids": ids}, tokens=tuple(tokens))
