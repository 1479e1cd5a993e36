"""Predictions at masked positions."""

from collections.abc import Iterator, Sequence
from typing import Any

from explorer.api import Context, Distribution, LoadedModel, MachineFault, Token, Unavailable
from explorer.hf.cancelling import cancellable
from explorer.hf.encoding import Encoded
from explorer.hf.pieces import glue, vocabulary_hash, written
from explorer.operations.fill_mask import MaskPredictions, Prediction

BLOCK = 16_000_000
"""Logits held at once (64 MB in float32), so that many masks over a large vocabulary fit."""

KEPT = 1_000_000
"""Numbers of whole distributions in one answer (4 MB); with more masks none is kept."""

HEAD_STATES = "head_states"
"""Key of LoadedModel.extras, for families whose masked-LM head reads other states than the last
layer's: a call that takes what the encoder takes and gives states (batch x tokens x hidden)."""


def predict_masks(
    model: LoadedModel, encoded: Encoded, top_k: int, context: Context
) -> tuple[MaskPredictions, ...]:
    """Run the encoder once, and the head at the masked positions only.

    Probabilities are the softmax of the logits over the whole vocabulary, in float32 whatever the
    weights' own type; the entropy is in nats. A rank is one more than the number of pieces that
    are more probable. `top_k` beyond the vocabulary is cut down to it.

    Raises:
        Unavailable: The model has no masked-LM head.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    head = model.masked_lm_head
    if head is None:
        raise Unavailable("This model has no masked-LM head.")
    positions = list(encoded.mask_positions)
    if not positions:
        return ()
    answers: list[MaskPredictions] = []
    with torch.inference_mode(), cancellable(context):
        states_of = model.extras.get(HEAD_STATES, model.encoder)
        hidden = states_of(**encoded.inputs)[0, positions]
        width = int(getattr(model.config, "vocab_size", 0)) or 1
        size = max(1, BLOCK // width)
        for start in range(0, len(positions), size):
            context.check()
            logits = head(hidden[start : start + size]).float()
            chosen = positions[start : start + size]
            answers.extend(answers_of(model, encoded, logits, chosen, top_k, keep=True))
    return tuple(answers)


def answers_of(
    model: LoadedModel,
    encoded: Encoded,
    logits: Any,
    positions: list[int],
    top_k: int,
    *,
    keep: bool = False,
) -> Iterator[MaskPredictions]:
    """The answers of logits (masks x vocabulary, float32) at some positions.

    Args:
        model: Whose vocabulary.
        encoded: The input.
        logits: A row a position.
        positions: Of masks in the input.
        top_k: Predictions each.
        keep: With the whole distributions, where those of all the input's masks are no more than
            KEPT numbers.

    Raises:
        MachineFault: The logits are not numbers.
    """
    import torch

    log_probabilities = torch.log_softmax(logits, dim=-1)
    probabilities = log_probabilities.exp()
    if bool(torch.isnan(probabilities).any()):
        raise MachineFault(
            f"The model's numbers overflow in {model.stamp.dtype}.", "Load it as float32."
        )
    # entr is zero, not NaN, where a probability underflows to zero.
    entropies = torch.special.entr(probabilities).sum(dim=-1).tolist()
    keep = keep and len(encoded.mask_positions) * probabilities.shape[-1] <= KEPT
    array = log_probabilities.cpu().numpy() if keep else None
    vocabulary = vocabulary_hash(model.tokenizer) if keep else ""
    top, ids = torch.topk(probabilities, min(top_k, probabilities.shape[-1]), dim=-1)
    for row, position in enumerate(positions):
        unspaced = begins_unspaced(encoded.tokens, position)
        predictions = tuple(
            prediction_of(model, number, probability, rank, unspaced=unspaced)
            for rank, (number, probability) in enumerate(
                zip(ids[row].tolist(), top[row].tolist(), strict=True), start=1
            )
        )
        yield MaskPredictions(
            position,
            predictions,
            _original(model, encoded.tokens, position, probabilities[row], predictions),
            max(0.0, entropies[row]),
            Distribution(array[row].copy(), vocabulary) if array is not None else None,
        )


def _original(
    model: LoadedModel,
    tokens: Sequence[Token],
    position: int,
    probabilities: Any,
    shown: tuple[Prediction, ...],
) -> Prediction | None:
    """The token that was there, with the rank it is shown with where it is shown."""
    number = tokens[position].original
    if number is None:
        return None
    for prediction in shown:
        if prediction.id == number:
            return prediction
    probability = probabilities[number]
    rank = int((probabilities > probability).sum()) + 1
    unspaced = begins_unspaced(tokens, position)
    return prediction_of(
        model, number, float(probability), max(rank, len(shown) + 1), unspaced=unspaced
    )


def prediction_of(
    model: LoadedModel,
    number: int,
    probability: float,
    rank: int,
    *,
    unspaced: bool = False,
) -> Prediction:
    """A piece of the vocabulary as a prediction.

    Args:
        model: Whose vocabulary.
        number: Of the piece.
        probability: At its place.
        rank: At its place.
        unspaced: A word may begin at its place without a space (`begins_unspaced`).
    """
    piece = model.tokenizer.convert_ids_to_tokens(number)
    if piece is None:  # rows of the embedding that no piece uses
        piece = f"<{number}>"
        return Prediction(piece, number, probability, piece, rank)
    glued = glue(model.tokenizer, piece, unspaced=unspaced)
    word = written(model.tokenizer, piece)
    return Prediction(piece, number, probability, word, rank, glue=glued)


def begins_unspaced(tokens: Sequence[Token], position: int) -> bool:
    """Whether a word at a token begins without a space: at the text's start, or after a sign."""
    before = tokens[position - 1] if position else None
    token = tokens[position]
    if before is None or before.special or before.part != token.part:
        return True
    return before.end == token.start and not before.masked and not before.text[-1:].isalnum()
