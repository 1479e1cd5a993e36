"""Asks a model at places of held-out texts whose exact distribution is known."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    Token,
    Unavailable,
    UserMistake,
)
from explorer.hf.kept import kept
from explorer.hf.text.vocabularies.fingerprint import tokenizer_fingerprint
from explorer.learning.measured.floors import Report, measured
from explorer.learning.measured.held_out import HeldOut, held_out
from explorer.learning.measured.places import EvaluatedPiece
from explorer.learning.measured.predictions import Reading
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.texts.worlds import (
    GrammarText,
    KoreanText,
    KoreanWorldText,
    SmallestWorldText,
    WorldText,
)
from explorer.questions.learning.learnt_rules.options import KOREAN, SMALLEST, TOLD, USUAL
from explorer.questions.learning.learnt_rules.question import (
    LearntRulesRequest,
    LearntRulesResult,
    MeasuredRule,
)
from explorer.series.frame_folders import series_folder_of
from explorer.text import N_
from explorer.world.exact.whose import KNOWN, share_of_pieces

WORLDS: Final[dict[str, type[GrammarText]]] = {
    USUAL: WorldText,
    TOLD: KoreanWorldText,
    SMALLEST: SmallestWorldText,
    KOREAN: KoreanText,
}
READ: Final = 200
"""Held-out texts whose words say whether a tokenizer knows a world."""
AT_ONCE: Final = 64
"""Places that are asked together."""
READINGS: Final = {Direction.BOTH: Reading.BOTH_SIDES, Direction.CAUSAL: Reading.LEFT}

NO_SPANS = N_("This model fills spans of any length, and the exact answers are of single pieces.")
NO_WORLD = N_("The pieces of this model are those of none of the small worlds.")
OTHERS = N_("Train one, or choose a world: then it is asked all the same.")
OWN_FILE = N_("This model was trained on a text of yours, whose grammar nobody knows.")
OTHER_PIECES = N_(
    "The pieces of this model know spaces or capitals: no exact answer can be laid next to them."
)


def run(model: Any, request: LearntRulesRequest, context: Context) -> LearntRulesResult:
    """Ask at all places, and compare.

    Raises:
        UserMistake: It was trained on a text of its user's.
        Unavailable: It does not predict single pieces, its pieces are of no world that is known,
            or it reads no text of one.
        Cancelled: Nobody waits for it any more.
    """
    predictor = model.port(Predictor)
    reading = READINGS.get(predictor.direction)
    if reading is None:
        raise Unavailable(NO_SPANS)
    world = request.world or _world_of(model)
    plan = _plan_of(model)
    rho = plan.rho if plan is not None and plan.corpus.value == world else 0.0
    context.progress(N_("drawing places of the world"), 0.0, 0.0)
    places = _short_enough(model, _places(model, world, rho, reading, context).places)
    logs = _predictions(model, predictor, places, context)
    found = measured(model.tokenizer, places, logs)
    return LearntRulesResult(
        model.stamp,
        world,
        _told("", found.whole),
        tuple(_told(rule, one) for rule, one in found.rules.items()),
    )


def _told(rule: str, found: Report) -> MeasuredRule:
    error = found.excess_error
    return MeasuredRule(
        rule,
        found.places,
        found.loss,
        found.floor,
        found.accuracy,
        found.best_accuracy,
        None if error != error else error,
    )


# ---- which world ---------------------------------------------------------------------------


def _world_of(model: LoadedModel) -> str:
    """The world of the run that a model is a frame of, or the one that its pieces are of.

    Raises:
        UserMistake: It is a text of the user's.
        Unavailable: None is known.
    """
    plan = _plan_of(model)
    if plan is not None:
        if plan.path:
            raise UserMistake(OWN_FILE, OTHERS)
        return plan.corpus.value
    for name, words in _own_words().items():
        if share_of_pieces(model.tokenizer.tokenize, words) > KNOWN:
            return name
    raise Unavailable(NO_WORLD, OTHERS)


def _plan_of(model: LoadedModel) -> TrainingPlan | None:
    """Of the run that a model is a frame of; None of one that is of no run of training."""
    series = series_folder_of(Path(model.stamp.id))
    run = None if series is None else RunFolder(series)
    plan = run.plan if run is not None and run.is_one else None
    return plan if isinstance(plan, TrainingPlan) else None


@cache
def _own_words() -> dict[str, tuple[str, ...]]:
    """Words of each world that the smallest of its language has not, in the order of trying."""
    every = {
        name: {word for text in kind().held_out(READ) for word in text.words}
        for name, kind in WORLDS.items()
    }
    every[USUAL] -= every[SMALLEST]
    every[TOLD] -= every[KOREAN]
    return {name: tuple(sorted(words)) for name, words in every.items()}


# ---- places --------------------------------------------------------------------------------


def _places(
    model: LoadedModel, world: str, rho: float, reading: Reading, context: Context
) -> HeldOut:
    """The places of a world in a tokenizer's pieces, drawn once for all frames.

    Where job and pronoun go together in what a run read, they do in what it is held against.

    Raises:
        UserMistake: A word is cut otherwise in a text than alone.
    """
    tokenizer = model.tokenizer
    end = tokenizer.eos_token if reading is Reading.LEFT else None

    def draw() -> HeldOut:
        kind = WORLDS[world]
        text = kind(rho) if issubclass(kind, SmallestWorldText) else kind()
        sample = text.held_out(1)[0]
        alone = [piece for word in sample.words for piece in tokenizer.tokenize(word)]
        if tokenizer.tokenize(sample.text) != alone:
            raise UserMistake(
                OTHER_PIECES, N_("Load a model of WordPiece pieces in small letters.")
            )
        return held_out(text, tokenizer, reading, end=end)

    context.check()
    pieces = tokenizer_fingerprint(tokenizer)
    return kept("places of a world", draw, asked=(pieces, world, rho, reading, end), most=4)


def _short_enough(model: LoadedModel, places: Sequence[EvaluatedPiece]) -> list[EvaluatedPiece]:
    """Places of texts that the model can read.

    Raises:
        Unavailable: It can read none.
    """
    most = model.max_length
    special = len(model.encode("x", None, ()).tokens)
    found = [one for one in places if most is None or len(one.pieces) + special <= most]
    if not found:
        raise Unavailable(N_("The texts of the small worlds are too long for this model."))
    return found


# ---- what the model says there -------------------------------------------------------------


def _predictions(
    model: LoadedModel,
    predictor: Predictor,
    places: Sequence[EvaluatedPiece],
    context: Context,
) -> NDArray[np.float64]:
    """Log-probabilities at all places: shape [places, vocabulary]."""
    frame = model.encode("x", None, ())
    rows = []
    for first in range(0, len(places), AT_ONCE):
        context.check()
        context.progress(N_("asking at places of the world"), float(first), float(len(places)))
        part = places[first : first + AT_ONCE]
        queries = [_query(model, predictor, frame, one) for one in part]
        rows += [one[0] for one in predictor.log_probabilities(queries, context)]
    # Their softmax is taken anew in double precision, as the sums over them are.
    scores = np.stack([row.double().cpu().numpy() for row in rows])
    peak = scores.max(axis=1, keepdims=True)
    found: NDArray[np.float64] = (
        scores - peak - np.log(np.exp(scores - peak).sum(axis=1, keepdims=True))
    )
    return found


def _query(
    model: LoadedModel, predictor: Predictor, frame: Encoded, place: EvaluatedPiece
) -> Query:
    """A place as the model reads it: between its special pieces, as one text."""
    own = [n for n, token in enumerate(frame.tokens) if not token.special]
    before, after = frame.tokens[: own[0]], frame.tokens[own[-1] + 1 :]
    tokenizer, inputs = model.tokenizer, frame.inputs
    pieces = list(place.pieces)
    if predictor.direction is Direction.CAUSAL:
        pieces, after = [*pieces[: place.position], place.truth], ()
    mask = tokenizer.mask_token
    numbers = tokenizer.convert_tokens_to_ids([mask if one is None else one for one in pieces])
    tokens = [
        Token(piece or mask, number, 0, 0, special=False, masked=piece is None)
        for piece, number in zip(pieces, numbers, strict=True)
    ]
    every = (*before, *tokens, *after)
    ids = inputs["input_ids"].new_tensor([[one.id for one in every]])
    others = {name: one[:, :1].expand(1, len(every)) for name, one in inputs.items()}
    masks = tuple(n for n, one in enumerate(every) if one.masked)
    encoded = Encoded({**others, "input_ids": ids}, every, masks, None)
    return Query(encoded, (len(before) + place.position,))
