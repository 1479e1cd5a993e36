"""Answers as small as they can be, written by hand."""

import math

import numpy as np
import pytest

from explorer.api import ModelStamp, Prediction, Token
from explorer.document import Document
from explorer.questions.masking.candidate_words.question import (
    CandidateWordsResult,
    GapScores,
    WordScore,
)
from explorer.questions.masking.joint_decoding.question import (
    Dependence,
    Filling,
    JointDecodingResult,
    Method,
    Step,
)
from explorer.questions.masking.masked_tokens.question import MaskPredictions
from explorer.questions.masking.span_boundary.question import (
    BoundaryWord,
    Span,
    SpanBoundaryResult,
    SpanToken,
)

STAMP = ModelStamp("bert-mini", "bert", "0" * 32, "cpu", "float32")
OTHER = ModelStamp("roberta-mini", "roberta", "1" * 32, "cpu", "float32")
DOCUMENT = Document("It is [MASK] [MASK].", top_k=10)
TOKENS = (
    Token("[CLS]", 2, 0, 0, special=True),
    Token("it", 10, 0, 2, special=False),
    Token("is", 11, 3, 5, special=False),
    Token("[MASK]", 4, 6, 12, special=False, masked=True),
    Token("[MASK]", 4, 13, 19, special=False, masked=True),
    Token(".", 12, 19, 20, special=False),
    Token("[SEP]", 3, 20, 20, special=True),
)


def piece(word, probability, rank=1, token=None, glue=""):
    return Prediction(token or word, sum(map(ord, word)), probability, word, rank, glue=glue)


def filling(one, two, together, alone):
    """Words with (probability when filled) pairs for both, and alone."""
    return Filling(
        words=(one, two),
        chosen=(piece(one, together[0]), piece(two, together[1])),
        alone=(piece(one, alone[0]), piece(two, alone[1], 2)),
        log_joint=math.log(together[0] * together[1]),
        log_independent=math.log(alone[0] * alone[1]),
    )


@pytest.fixture
def document():
    return DOCUMENT


@pytest.fixture
def joint():
    mixed = filling("victor", "wolfe", (0.4, 0.01), (0.4, 0.5))
    best = filling("victor", "hale", (0.4, 0.9), (0.4, 0.1))
    second = filling("clara", "wolfe", (0.2, 0.99), (0.2, 0.5))
    rows = (piece("victor", 0.4), piece("clara", 0.2, 2))
    columns = (piece("hale", 0.1, 2), piece("wolfe", 0.5))
    given = np.array([[0.9, 0.01], [0.0, 0.99]], dtype=np.float32)
    weights = np.array([[0.4], [0.2]], dtype=np.float32)
    alone = np.array([[0.1, 0.5]], dtype=np.float32)
    return JointDecodingResult(
        model=STAMP,
        tokens=TOKENS,
        method=Method.BEAM,
        order=(0, 1),
        gaps=((0,), (1,)),
        alone=(
            MaskPredictions(3, rows, None, 1.5),
            MaskPredictions(4, columns[::-1], None, 1.2),
        ),
        independent=mixed,
        fillings=(best, second),
        steps=(
            Step(0, rows, 1.5, 1.5, 0.0, 0.0),
            Step(1, columns, 0.3, 1.2, 1.703, 0.82),
        ),
        dependence=Dependence(
            first=0,
            second=1,
            rows=rows,
            columns=columns,
            given=given,
            joint=weights * given,
            independent=weights * alone,
            kl=np.array([1.7, 0.6], dtype=np.float32),
            total_variation=np.array([0.82, 0.49], dtype=np.float32),
        ),
    )


def score(word, *pieces, place=None):
    total = math.log(math.prod(one.probability for one in pieces))
    odds = total - math.log(1 - math.exp(total))
    rank = pieces[0].rank if len(pieces) == 1 else None
    return WordScore(word, tuple(pieces), total, odds, rank, place)


@pytest.fixture
def scored():
    soup = score("soup", piece("soup", 0.25, 2), place=1)
    rice = score(
        "fried rice",
        piece("fri", 1e-4, 90, "Ġfri"),
        piece("ed", 0.5, 1, glue="before"),
        piece("rice", 0.2, 3, "Ġrice"),
        place=2,
    )
    problem = WordScore("[SEP]", problem="“[SEP]” is a special token, and no word.")
    gap = GapScores(
        positions=(3,),
        start=6,
        end=12,
        part=0,
        scores=(rice, problem, soup),
        original=score("meal", piece("meal", 0.1, 4)),
        favourite=piece("tea", 0.3),
    )
    return CandidateWordsResult(STAMP, TOKENS, (gap,), "The method.", note="A note.")


@pytest.fixture
def boundary():
    words = (
        BoundaryWord("cooks", 5, "cooks", 0.08, 1, 0.27, 1),
        BoundaryWord("##es", 6, "…es", 0.02, 10, 0.03, 8, is_original=True),
    )
    token = SpanToken(3, 1, words, 4.83, 2.88)
    other = SpanToken(4, 2, words[:1], 4.0, 1.0)
    spans = (Span(2, 5, (token, other)),)
    return SpanBoundaryResult(STAMP, TOKENS, spans, 10)
