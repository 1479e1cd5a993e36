"""Answers of two models that were never asked: made from numbers."""

import numpy as np

from explorer.api.question import ModelStamp, Token
from explorer.document import Document, Mask
from explorer.questions.distillation.cost.question import CostResult, ModelCost
from explorer.questions.distillation.distillation_losses.compute import prediction_losses
from explorer.questions.distillation.distillation_losses.losses import (
    DistillationLossesResult,
    LayerLosses,
)
from explorer.questions.distillation.soft_targets.targets import (
    SharedClass,
    SharedVocabulary,
    SoftTargetsResult,
    Targets,
    WantedWord,
)

TEACHER = ModelStamp("bert-miniature", "bert", "0123456789abcdef" * 2, "cpu", "float32")
STUDENT = ModelStamp("tinybert-miniature", "tinybert", "fedcba9876543210" * 2, "cpu", "float32")
MODELS = {"teacher": TEACHER, "student": STUDENT}
DOCUMENT = Document("The movie was fun.", masks=(Mask(14, 17),))
TOKENS = (
    Token("[CLS]", 2, 0, 0, special=True),
    Token("the", 10, 0, 3, special=False),
    Token("movie", 11, 4, 9, special=False),
    Token("was", 12, 10, 13, special=False),
    Token("[MASK]", 4, 14, 17, special=False, masked=True, original=1),
    Token(".", 15, 17, 18, special=False),
    Token("[SEP]", 3, 18, 18, special=True),
)
WORDS = ("boring", "fun", "happy", "sad", "heavy", "the", "movie")
TAUGHT = np.array([0.5, 4.0, 3.0, 1.0, 0.8, -3.0, -4.0], dtype=np.float32)
LEARNT = np.array([1.5, 3.0, 3.5, 0.5, 1.0, -2.0, -5.0], dtype=np.float32)


def target(index):
    taught, learnt = (
        sorted(range(len(WORDS)), key=lambda i: -z[i]).index(index) + 1 for z in (TAUGHT, LEARNT)
    )
    return SharedClass(WORDS[index], WORDS[index], index, taught, learnt)


def targets(position=4, only=(), known=True):
    rows = sorted((target(i) for i in range(5)), key=lambda row: row.teacher_rank)
    words = tuple(WantedWord(WORDS[i], target(i)) for i in only)
    original = target(1) if known else None
    return Targets(position, TAUGHT, LEARNT, tuple(rows), original, words)


def soft(*masks, notes=(), what="masks"):
    size = len(WORDS)
    found = masks or (targets(),)
    vocabulary = SharedVocabulary(True, size, size, size)
    return SoftTargetsResult(
        TEACHER, STUDENT, TOKENS, tuple(found), vocabulary, what, notes=tuple(notes)
    )


def layer_losses(same_heads=True, projection="trained projection"):
    random = np.random.default_rng(0)
    hidden = random.uniform(0.1, 1.0, (3, 5))
    attention = random.uniform(0.1, 2.0, (2, 4)) if same_heads else None
    return LayerLosses(
        student_layers=2,
        teacher_layers=4,
        tokens=7,
        student_width=96,
        teacher_width=128,
        projection=projection,
        hidden_mse=hidden,
        cosine=1 - hidden / 2,
        cka=1 - hidden / 3,
        plain_mse=None,
        plain_cosine=None,
        attention_mse=attention,
        attention_kl=None if attention is None else attention / 2,
        student_heads=4 if same_heads else 2,
        teacher_heads=4,
    )


def losses(layers=None, masked=True, notes=()):
    predictions = prediction_losses((targets(),), 2.0) if masked else None
    return DistillationLossesResult(
        TEACHER,
        STUDENT,
        TOKENS,
        2.0,
        predictions,
        layer_losses() if layers is None else layers or None,
        tuple(notes),
    )


def cost():
    teacher = ModelCost(
        TEACHER, 1_049_922, 204_800, 4, 128, 4, 4_199_688, 7, 0.004, 0.003, 0.009, 50, 0.0035, 0.005
    )
    student = ModelCost(STUDENT, 447_810, 153_600, 2, 96, 4, 1_791_240, 7, 0.002, 0.0015, 0.005, 50)
    return CostResult(TEACHER, STUDENT, teacher, student, 2, "By turns.")
