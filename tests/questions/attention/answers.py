"""Answers made up of numbers that are easy to tell apart."""

import numpy as np

from explorer.api.family import Head, LoadReport
from explorer.api.question import HeadPlace, ModelCard, ModelStamp, Token
from explorer.api.question.parts.predictions.changes import (
    MaskChange,
    PredictionChanges,
    WordChange,
)
from explorer.document import Document, Mask
from explorer.questions.attention.disentangled_attention.question import (
    DisentangledAttentionResult,
    DistanceBias,
    ScorePart,
)
from explorer.questions.attention.head_ablation.question import HeadAblationResult, HeadEffects
from explorer.questions.attention.query_key.question import QueryKeyResult

STAMP = ModelStamp("deberta-tiny", "deberta", "0123456789abcdef" * 2, "cpu", "float32")
DOCUMENT = Document("the soup was hot", None, (Mask(4, 8),))
TOKENS = (
    Token("[CLS]", 2, 0, 0, special=True),
    Token("the", 10, 0, 3, special=False),
    Token("[MASK]", 4, 4, 8, special=False, masked=True, original=77),
    Token("was", 11, 9, 12, special=False),
    Token("hot", 12, 13, 16, special=False),
    Token("[SEP]", 3, 16, 16, special=True),
)
COUNT = len(TOKENS)

WORDS = (
    WordChange("soup", "soup", 77, 0.5, 0.2, 1, 2, is_original=True),
    WordChange("tea", "tea", 78, 0.3, 0.6, 2, 1),
    WordChange("hat", "hat", 79, 0.00001, 0.00002, 900, 800),
)
MASK = MaskChange(2, WORDS, 1.0, 2.0)
CHANGES = PredictionChanges(TOKENS, (MASK,))


def card(
    architecture: str = "DeBERTa v1 · 3 layers × 32 wide × 4 heads · 1,000 pieces",
    questions: tuple[str, ...] = ("masked_tokens", "head_ablation", "disentangled_attention"),
    parameters: int = 1000,
) -> ModelCard:
    return ModelCard(
        "A",
        STAMP,
        "Tiny",
        architecture,
        "",
        parameters,
        parameters,
        24,
        "[MASK]",
        1000,
        (Head("masked_lm", "Masked LM", True),),
        questions,
        {},
        LoadReport(1),
        stacks=(("encoder", 3, 4),),
    )


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)


def switch_off_result(off=(), *, effects=False, changes=CHANGES, stacks=(("encoder", 3, 4),)):
    values = np.linspace(-1, 0.5, 12, dtype=np.float32).reshape(3, 4)
    return HeadAblationResult(
        STAMP,
        TOKENS,
        stacks,
        tuple(HeadPlace(*one) for one in off),
        changes,
        (HeadEffects("encoder", values),) if effects else (),
    )


def disentangle_result(off=(), *, steps=2, changes=CHANGES, buckets=False, **fields):
    rng = np.random.default_rng(0)
    matrices = rng.normal(size=(3, COUNT, COUNT)).astype(np.float32)
    shares = rng.random((3, 3 + steps, 4)).astype(np.float32)
    shares /= shares.sum(axis=0)
    parts = tuple(
        ScorePart(name, matrix, share)
        for name, matrix, share in zip(("c2c", "c2p", "p2c"), matrices, shares, strict=True)
    )
    scores = matrices.sum(axis=0)
    distances = np.arange(-20, 21, dtype=np.int32)
    shared = np.where(abs(distances) < 4, distances, 4 * np.sign(distances)).astype(np.int32)
    biases = tuple(
        DistanceBias(
            name,
            rng.normal(size=(4, 41)).astype(np.float32),
            rng.random((4, 41)).astype(np.float32),
        )
        for name in ("c2p", "p2c")
    )
    values = {
        "model": STAMP,
        "tokens": TOKENS,
        "layer": 1,
        "head": 2,
        "step": 0,
        "layers": 3,
        "heads": 4,
        "steps": steps,
        "parts": parts,
        "scores": scores,
        "attention": softmax(scores),
        "sum_error": 2e-7,
        "largest_error": 3e-6,
        "distances": distances,
        "buckets": shared if buckets else distances,
        "biases": biases,
        "off": off,
        "attention_after": softmax(scores - matrices[1]) if off else None,
        "changes": changes,
    }
    return DisentangledAttentionResult(**{**values, **fields})


def query_key_result(kind="encoder", *, bias=False):
    rng = np.random.default_rng(1)
    queries, keys = rng.normal(size=(2, COUNT, 8)).astype(np.float32)
    added = rng.normal(size=(COUNT, COUNT)).astype(np.float32) if bias else None
    scores = queries @ keys.T * 0.5 + (added if added is not None else 0)
    if kind == "decoder":
        scores = np.where(np.tri(COUNT, dtype=bool), scores, -np.inf)
    return QueryKeyResult(
        STAMP,
        TOKENS,
        TOKENS,
        kind,
        1,
        2,
        ((kind, 3, 4),),
        queries,
        keys,
        0.5,
        added,
        softmax(scores),
    )
