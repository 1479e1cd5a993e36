"""Scores of pairs of sentences: `BiasRequest`'s answer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.api.question import (
    BidirectionalPredictor,
    Context,
    Direction,
    LoadedModel,
    Predictor,
    Unavailable,
    UserMistake,
)
from explorer.learning.bias.scores import scored
from explorer.questions.pairs.bias.bias_files import items_of
from explorer.questions.pairs.bias.question import BiasRequest, BiasResult, ScoredBiasItem
from explorer.questions.pairs.bias.reading import PortReader
from explorer.text import N_, Phrase

SAME = N_("Both of its sentences are the same in the model's pieces.")


def run(model: LoadedModel, request: BiasRequest, context: Context) -> BiasResult:
    """Score both sentences of every pair in every way that a measure asks for.

    Raises:
        Unavailable: The model does not fill masks of one piece from both sides.
        UserMistake: The file can't be read, or has no pair that the model can score.
        Cancelled: The run was cancelled; checked before every layer.
    """
    predictor = model.port(Predictor)
    if predictor.direction is not Direction.BOTH:
        raise Unavailable(
            N_("{who} does not fill masks of one piece from both sides, as these measures ask."),
            N_("Load such a model, or compare whole sentences on the page “Minimal pairs”."),
            who=predictor.who,
        )
    model.port(BidirectionalPredictor)
    found = items_of(request.path, request.pairs)
    quiet = replace(context, progress=lambda *_told: None)
    reader = PortReader(model, quiet)
    every: list[ScoredBiasItem] = []
    refused: Any = ""
    unknown = 0
    for number, item in enumerate(found.items):
        context.check()
        context.progress(N_("scoring sentences"), float(number), float(len(found.items)))
        try:
            every.append(ScoredBiasItem(item, scored(item, reader)))
        except UserMistake as mistake:
            refused = refused or mistake.problem
        except ValueError:
            refused = refused or Phrase(SAME)
        else:
            unknown += _is_unknown(model, item.sentences)
    if not every:
        raise UserMistake(
            N_("No pair can be scored. {why}"), N_("Choose another file."), why=refused
        )
    return BiasResult(
        model.stamp,
        tuple(every),
        found.there,
        len(found.items),
        Path(request.path).name if request.path else "",
        refused,
        unknown,
        found.unreadable,
    )


def _is_unknown(model: LoadedModel, sentences: Sequence[str]) -> bool:
    encoded = [model.encode(one, None) for one in sentences]
    return any(token.unknown and not token.special for one in encoded for token in one.tokens)
