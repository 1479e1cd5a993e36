"""Scores of good and bad sentences: `MinimalPairsRequest`'s answer."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.api.question import (
    MODEL,
    SECOND,
    Context,
    LoadedModel,
    Predictor,
    Unavailable,
    UserMistake,
)
from explorer.hf.predict.rows import part_of
from explorer.questions.masking.hidden_in_turn import (
    TextScored,
    TextToScore,
    method_of,
    score_texts,
)
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.pairs.minimal_pairs.question import (
    MinimalPairsRequest,
    MinimalPairsResult,
    PairsScored,
    ScoredPair,
    ScoredSentence,
)
from explorer.questions.pairs.pair_files import PairOfSentences, pairs_of
from explorer.text import N_, Phrase

AT_ONCE: Final = 32
"""Pairs that are scored between two looks at whether somebody wants to stop."""


def run(model: LoadedModel, request: MinimalPairsRequest, context: Context) -> MinimalPairsResult:
    """Score both sentences of every pair, in one model, in two, or in further ones in turn.

    Raises:
        Unavailable: The model has no head that predicts tokens, or sees both sides and is asked
            from left to right.
        UserMistake: The file can't be read, or has no pair that the model can score.
        ExplorerError: A further model can't be loaded.
        Cancelled: The run was cancelled; checked before every layer.
    """
    pairs, there = pairs_of(request.path, request.pairs)
    source = Path(request.path).name if request.path else ""
    models = [model, *filter(None, [context.models.get(SECOND)])]
    count = len(models) + len(request.further)
    scored: list[PairsScored] = []
    for number, one in enumerate(models):
        part = part_of(context, N_("scoring sentences"), number, count)
        try:
            scored.append(_scored(one, pairs, request.method, part))
        except (UserMistake, Unavailable) as mistake:
            if not scored:
                raise
            scored.append(_refused(one, request, mistake))

    def further(one: LoadedModel, part: Context) -> PairsScored:
        try:
            return _scored(one, pairs, request.method, part)
        except (UserMistake, Unavailable) as mistake:
            return _refused(one, request, mistake)

    for number, name in enumerate(request.further, start=len(models)):
        if context.lending is None:
            raise UserMistake(N_("Further models can't be loaded here."))
        part = part_of(context, N_("scoring sentences"), number, count)
        scored.append(context.lending.ask(name, MODEL, part, further))
    return MinimalPairsResult(model.stamp, pairs, tuple(scored), there, source)


def _refused(
    model: LoadedModel, request: MinimalPairsRequest, mistake: UserMistake | Unavailable
) -> PairsScored:
    told = Phrase(
        N_("{model} does not answer. {problem}"), model=model.title, problem=mistake.problem
    )
    return PairsScored(model.stamp, request.method, (), told)


def _scored(
    model: LoadedModel, pairs: Sequence[PairOfSentences], asked: ScoringMethod, context: Context
) -> PairsScored:
    method = method_of(model.port(Predictor), asked)
    found: list[ScoredPair] = []
    refused: Any = ""
    for start in range(0, len(pairs), AT_ONCE):
        some = pairs[start : start + AT_ONCE]
        part = part_of(context, N_("scoring sentences"), start, len(pairs))
        texts = [text for one in some for text in (one.good, one.bad)]
        answers = score_texts(model, [TextToScore(text, method=method) for text in texts], part)
        for number, good, bad in _by_pair(answers, start):
            whole = [one for one in (good, bad) if isinstance(one, TextScored)]
            cut = next((one for one in whole if one.encoded.left_out is not None), None)
            if len(whole) < 2 or cut is not None:
                refused = refused or _why(good, bad)
                continue
            found.append(_pair(number, *whole))
    if not found:
        raise UserMistake(
            N_("No pair can be scored. {why}"), N_("Choose another file."), why=refused
        )
    return PairsScored(model.stamp, method, tuple(found), refused)


def _by_pair(
    answers: Sequence[TextScored | UserMistake], start: int
) -> Iterator[tuple[int, TextScored | UserMistake, TextScored | UserMistake]]:
    for at in range(0, len(answers), 2):
        yield start + at // 2, answers[at], answers[at + 1]


def _why(*answers: TextScored | UserMistake) -> Any:
    """What kept a pair from being scored."""
    for one in answers:
        if isinstance(one, UserMistake):
            return one.problem
    return Phrase(N_("A sentence is longer than the model reads."))


def _pair(number: int, good: TextScored, bad: TextScored) -> ScoredPair:
    starts = [min((one.position for one in each.surprises), default=0) for each in (good, bad)]
    unscored = [
        [token.id for token in each.encoded.tokens[:start]]
        for each, start in zip((good, bad), starts, strict=True)
    ]
    return ScoredPair(number, _sentence(good), _sentence(bad), unscored[0] != unscored[1])


def _sentence(scored: TextScored) -> ScoredSentence:
    return ScoredSentence(
        tuple(scored.encoded.tokens[one.position].text for one in scored.surprises),
        tuple(one.log_probability for one in scored.surprises),
    )
