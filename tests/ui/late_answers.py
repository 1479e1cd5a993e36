"""Answers for views beside Masked tokens, made of the request: for a window on a FakeEngine."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.question import MaskPredictions, ModelCard, Prediction
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.distillation.soft_targets.targets import (
    SharedClass,
    SharedVocabulary,
    SoftTargetsResult,
    Targets,
)
from explorer.questions.masking.candidate_words.question import (
    CandidateWordsRequest,
    CandidateWordsResult,
    GapScores,
    WordScore,
)
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.masking.joint_decoding.question import (
    Filling,
    JointDecodingRequest,
    JointDecodingResult,
)
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest, SurprisalResult
from explorer.questions.masking.surprises import TokenSurprisal
from tests.ui.fake_engine import FakeEngine, answer_of, number_of, tokens_of

WORDS = ("made", "liked", "soup", "rice", "fun")


def share_of(hidden: str) -> float:
    """How probable the first word is where this one is hidden: other words, other numbers."""
    return 0.2 + sum(map(ord, hidden)) % 50 / 100


def piece(word: str, probability: float, rank: int) -> Prediction:
    return Prediction(word, number_of(word), probability, word, rank)


def filled(request: MaskedTokensRequest, card: ModelCard) -> Any:
    """Predictions that tell which word is hidden."""
    result = answer_of(request, card)

    def scaled(mask: MaskPredictions) -> MaskPredictions:
        token = result.tokens[mask.position]
        share = share_of(text_of(request, token)) * 2
        return replace(
            mask,
            predictions=tuple(
                replace(one, probability=one.probability * share) for one in mask.predictions
            ),
        )

    return replace(result, masks=tuple(map(scaled, result.masks)))


def text_of(request: Any, token: Any) -> str:
    whole: str = request.text if token.part == 0 else request.pair
    return whole[token.start : token.end]


def scored(request: CandidateWordsRequest, card: ModelCard) -> CandidateWordsResult:
    tokens = tokens_of(request.text, request.pair, request.masks)
    gaps = []
    for position, token in enumerate(tokens):
        if token.masked:
            share = share_of(text_of(request, token))
            scores = tuple(
                WordScore(word, (piece(word, share, 1),), math.log(share), 0.0, 1)
                for word in request.words
            )
            gaps.append(GapScores((position,), token.start, token.end, token.part, scores))
    return CandidateWordsResult(card.stamp, tokens, tuple(gaps), "Every word is one piece.")


def jointly(request: JointDecodingRequest, card: ModelCard) -> JointDecodingResult:
    tokens = tokens_of(request.text, request.pair, request.masks)
    hidden = [token for token in tokens if token.masked]
    shares = [share_of(text_of(request, token)) for token in hidden]
    fillings = tuple(
        Filling(
            words=(word,) * len(hidden),
            chosen=tuple(piece(word, share, 1) for share in shares),
            alone=(),
            log_joint=sum(map(math.log, shares)) - place,
            log_independent=None,
        )
        for place, word in enumerate(WORDS[:3])
    )
    numbers = tuple(range(len(hidden)))
    gaps = tuple((number,) for number in numbers)
    order = request.order if len(request.order) == len(numbers) else numbers
    return JointDecodingResult(
        card.stamp, tokens, request.method, order, gaps, (), None, fillings, ()
    )


def soft(request: SoftTargetsRequest, card: ModelCard) -> SoftTargetsResult:
    tokens = tokens_of(request.text, request.pair, request.masks)
    masks = []
    for position, token in enumerate(tokens):
        if token.masked:
            first = 5 * share_of(text_of(request, token))
            logits = np.array([first, 1.0, 0.5, 0.0, -1.0], dtype=np.float32)
            rows = tuple(SharedClass(w, w, n, n + 1, n + 1) for n, w in enumerate(WORDS))
            masks.append(Targets(position, logits, logits / 2, rows))
    size = len(WORDS)
    vocabulary = SharedVocabulary(True, size, size, size)
    return SoftTargetsResult(card.stamp, card.stamp, tokens, tuple(masks), vocabulary)


def swept(request: SurprisalRequest, card: ModelCard) -> SurprisalResult:
    tokens = tokens_of(request.text, request.pair, ())
    surprises = tuple(
        TokenSurprisal(position, -2.0, 2, (piece("made", 0.5, 1),))
        for position, token in enumerate(tokens)
        if not token.special
    )
    total = -2.0 * len(surprises)
    return SurprisalResult(
        card.stamp, tokens, ScoringMethod.ORIGINAL, surprises, total, math.exp(2), len(surprises)
    )


def teach(engine: FakeEngine) -> None:
    """Let the engine's first models answer all of these."""
    engine.answers |= {
        MaskedTokensRequest: filled,
        CandidateWordsRequest: scored,
        JointDecodingRequest: jointly,
        SoftTargetsRequest: soft,
        SurprisalRequest: swept,
    }
    offered = (
        "masked_tokens",
        "tokens",
        "candidate_words",
        "joint_decoding",
        "soft_targets",
        "surprisal",
    )
    engine.catalogue = tuple(
        replace(one, operations=(*offered, *one.operations)) for one in engine.catalogue
    )
