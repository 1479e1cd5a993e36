"""Distributions at all masks of a text, whichever way a model reads."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from explorer.api import Context, Direction, Encoded, Predictor, Query, SpanPredictor
from explorer.hf.predict.prefix import one_text


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
    rows = {}
    if predictor.direction is Direction.SPANS:
        writer = cast("SpanPredictor", predictor)
        written: dict[int, tuple[int, ...]] = {}
        for position in encoded.mask_positions:
            if position > max(wanted):
                break
            query = Query(encoded, (position,), written=dict(written))
            rows[position] = predictor.log_probabilities([query], context)[0]
            if position != max(wanted):
                before = list(written.values())
                written[position] = writer.best_spans(encoded, before, 1, context).spans[0].ids
        return torch.cat([rows[position] for position in wanted])
    guesses: dict[int, int | None] = {}
    with one_text(predictor):
        for position in encoded.mask_positions:
            if position > max(wanted):
                break
            query = Query(encoded, (position,), dict(guesses))
            rows[position] = predictor.log_probabilities([query], context)[0]
            guesses[position] = int(rows[position].argmax())
    return torch.cat([rows[position] for position in wanted])


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
