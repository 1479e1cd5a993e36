"""An exact distribution and a model's at one place, as words."""

import math
from typing import Any

from explorer.api.question import LoadedModel
from explorer.exact_answers.answers import ExactPlace, ExactWord
from explorer.hf.predict.predictions import prediction_of, rank_of
from explorer.questions.masking.exact_answers.outcomes import divergence, rank_among
from explorer.world.exact.truth import entropy


def place_at(
    model: LoadedModel,
    position: int,
    original: int | None,
    exact: dict[str, float],
    row: Any,
    top_k: int,
) -> ExactPlace:
    """Both distributions at a place, as words.

    Args:
        model: Whose.
        position: In its input.
        original: The piece that stands there; None where that is hidden.
        exact: Probabilities by piece, as the tokenizer writes them.
        row: The model's log-probabilities.
        top_k: How many of each are told.
    """
    numbers = dict(
        zip(model.tokenizer.convert_tokens_to_ids(list(exact)), exact.values(), strict=True)
    )
    logs = row.cpu().double()
    masses = sorted(numbers.values())
    likely = sorted(numbers, key=lambda one: -numbers[one])[:top_k]
    guessed = [
        one for one in logs.topk(min(top_k, len(logs))).indices.tolist() if one not in likely
    ]
    wanted = dict.fromkeys((*likely, *guessed, *([original] if original is not None else [])))
    words = []
    for number in wanted:
        value, rank = math.exp(float(logs[number])), rank_of(row, number)
        shown = prediction_of(model, number, value, rank)
        words.append(
            ExactWord(
                shown.token,
                number,
                shown.word,
                numbers.get(number, 0.0),
                value,
                rank,
                number == original,
                rank_among(masses, numbers.get(number, 0.0)),
            )
        )
    words.sort(key=lambda one: (-one.exact, -one.model))
    return ExactPlace(
        position,
        tuple(words),
        max(0.0, entropy(exact)),
        divergence((mass, float(logs[number])) for number, mass in numbers.items()),
        None if original is None else numbers.get(original, 0.0),
    )
