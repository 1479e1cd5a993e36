"""The words a model expects at the masks of a text, for every question that reads them."""

from collections.abc import Sequence
from typing import Any

from explorer.api.question import (
    Context,
    Direction,
    Distribution,
    Encoded,
    LoadedModel,
    MaskPredictions,
    Prediction,
    Predictor,
    Token,
    UserMistake,
)
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.predict.predictions import (
    begins_unspaced,
    best_predictions,
    prediction_of,
    rank_of,
)
from explorer.hf.text.vocabularies.pieces import vocabulary_hash
from explorer.numerics.distributions.temperature import entropy
from explorer.text import N_, Phrase

KEPT = 1_000_000
"""Numbers of whole distributions in one answer (4 MB); with more masks none is kept."""


def masked_input(
    model: LoadedModel, asked: Any, context: Context, languages: Sequence[str] = ()
) -> Encoded:
    """A text of which something is masked, as a model reads it.

    Args:
        model: Who reads it.
        asked: A request with a text, a pair and masks.
        context: Of the run.
        languages: Codes, for models that are told.

    Raises:
        UserMistake: Nothing is masked, or there is a second text for a model that reads one.
    """
    refuse_pair(model.port(Predictor), asked.pair)
    context.check()
    encoded: Encoded = model.encode(asked.text, asked.pair, asked.masks, languages=languages)
    check_masked(encoded)
    return encoded


def refuse_pair(predictor: Predictor, pair: str | None) -> None:
    """Refuse a second text where the model reads one.

    Raises:
        UserMistake: There is one.
    """
    if pair and not predictor.reads_pairs:
        raise UserMistake(
            N_("{who} reads one text."),
            N_("Put both into one text, or take the second away."),
            who=predictor.who,
        )


def check_masked(encoded: Encoded) -> None:
    """Refuse an input without a mask in it.

    Raises:
        UserMistake: Nothing in the text is masked, or nothing in the part that fits.
    """
    if not encoded.mask_positions:
        raise UserMistake(
            N_("Nothing is masked.")
            if encoded.left_out is None or not encoded.left_out.masks
            else N_("Every mask lies in the part of the text that does not fit into the model."),
            N_("Click a word, press M on it, or type [MASK]."),
        )


def predict_masks(
    model: LoadedModel, encoded: Encoded, top_k: int, context: Context
) -> tuple[MaskPredictions, ...]:
    """What the model expects at every mask of an input.

    Probabilities are the softmax of the logits over the whole vocabulary, in float32 whatever the
    weights' own type; the entropy is in nats. A rank is one more than the number of pieces that
    are more probable. `top_k` beyond the vocabulary is cut down to it.

    Raises:
        Unavailable: The model has no head that predicts tokens.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    predictor = model.port(Predictor)
    positions = encoded.mask_positions
    if not positions:
        return ()
    rows = rows_at_masks(predictor, encoded, context)
    return answers_of(model, encoded.tokens, rows, positions, top_k, keep=rows.numel() <= KEPT)


def answers_of(
    model: LoadedModel,
    tokens: Sequence[Token],
    rows: Any,
    positions: Sequence[int],
    top_k: int,
    *,
    keep: bool = False,
) -> tuple[MaskPredictions, ...]:
    """The answers of log-probabilities at some positions.

    Args:
        model: Whose vocabulary.
        tokens: The input.
        rows: A row a position, tensor (positions x vocabulary).
        positions: Of masks in the input.
        top_k: Predictions each.
        keep: With the whole distributions.
    """
    numbers = rows.cpu().numpy()
    entropies = entropy(numbers).tolist()
    array = numbers if keep else None
    vocabulary = vocabulary_hash(model.tokenizer) if keep else ""
    shown = best_predictions(model, rows, [tokens] * len(positions), positions, top_k)
    return tuple(
        MaskPredictions(
            position,
            shown[row],
            _original(model, tokens, position, rows[row], shown[row]),
            max(0.0, entropies[row]),
            Distribution(array[row].copy(), vocabulary) if array is not None else None,
        )
        for row, position in enumerate(positions)
    )


def _original(
    model: LoadedModel,
    tokens: Sequence[Token],
    position: int,
    row: Any,
    shown: tuple[Prediction, ...],
) -> Prediction | None:
    """The token that was there, with the rank it is shown with where it is shown."""
    number = tokens[position].original
    if number is None:
        return None
    for prediction in shown:
        if prediction.id == number:
            return prediction
    rank = max(rank_of(row, number), len(shown) + 1)
    unspaced = begins_unspaced(tokens, position)
    return prediction_of(model, number, float(row[number].exp()), rank, unspaced=unspaced)


def note_of(predictor: Predictor, encoded: Encoded) -> Phrase:
    """What a person must know of these answers."""
    notes = []
    masks = len(encoded.mask_positions)
    if predictor.direction is Direction.CAUSAL:
        seen = (
            N_(
                "{who} reads from the left: it saw only what comes before each mask, with its"
                " own best guess in place of every mask before it."
            )
            if masks > 1
            else N_("{who} reads from the left: it saw only what comes before each mask.")
        )
        notes.append(Phrase(seen, who=predictor.who))
        first, second = encoded.tokens[:2]
        if first.special and second.masked:
            notes.append(
                Phrase(
                    N_("Before the first one there is only {text}, which starts a text."),
                    text=first.text,
                )
            )
    if predictor.direction is Direction.SPANS:
        notes.append(
            Phrase(
                N_(
                    "{who} fills a masked range with a span of any length; a probability "
                    "is of the whole span."
                ),
                who=predictor.who,
            )
        )
        if masks > 1:
            notes.append(
                Phrase(N_("Each span is predicted after the best span for every mask before it."))
            )
    return Phrase.joined((*notes, *encoded.notes))
