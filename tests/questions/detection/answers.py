"""A judged sentence, made by hand: two tokens replaced, one drawn again."""

from explorer.api.family import LoadReport
from explorer.api.question import ModelCard, ModelStamp, Prediction, Token
from explorer.document import Document, Mask
from explorer.numerics.evaluation.outcomes import binary_cross_entropy, count, sigmoid
from explorer.numerics.evaluation.roc import roc
from explorer.questions.detection.replaced_tokens.question import (
    ChosenToken,
    DetectionLosses,
    ReplacedTokensResult,
)

JUDGE = ModelStamp("judge", "electra", "0" * 32, "cpu", "float32")
FILLER = ModelStamp("filler", "electra", "1" * 32, "cpu", "float32")
CHEF = "the chef cooked the meal"
DOCUMENT = Document(CHEF, masks=(Mask(0, 3), Mask(9, 15)))
LOGITS = (-9.0, -2.0, 1.5, 2.5, -3.0, -1.0, -9.0)
TRUTH = (False, False, False, True, False, True, False)


def token(text, number, start, end, special=False):
    return Token(text, number, start, end, special)


TOKENS = (
    token("[CLS]", 2, 0, 0, special=True),
    token("the", 10, 0, 3),
    token("chef", 11, 4, 8),
    token("ate", 20, 9, 15),
    token("the", 10, 16, 19),
    token("soup", 21, 20, 24),
    token("[SEP]", 3, 24, 24, special=True),
)


def said(word, number, chance, rank):
    return Prediction(word, number, chance, word, rank)


CHOICES = (
    ChosenToken(1, True, (said("the", 10, 0.8, 1), said("a", 12, 0.1, 2)), said("the", 10, 0.8, 1),
           said("the", 10, 0.8, 1), 0.7, 0.22),
    ChosenToken(3, True, (said("ate", 20, 0.4, 1), said("burnt", 22, 0.2, 2)),
           said("cooked", 13, 0.01, 9), said("ate", 20, 0.4, 1), 2.5, 4.6),
    ChosenToken(5, drawn=False),
)  # fmt: skip


def make(other=FILLER, chosen=CHOICES):
    chances = tuple(sigmoid(logit) for logit in LOGITS)
    judged = chances[1:6], TRUTH[1:6]
    return ReplacedTokensResult(
        JUDGE, other, TOKENS, ("[CLS]", "the", "chef", "cooked", "the", "meal", "[SEP]"),
        (2, 10, 11, 13, 10, 14, 3), chosen, LOGITS, chances, TRUTH,
        DetectionLosses(2.41, binary_cross_entropy(LOGITS, TRUTH)), count(*judged), roc(*judged), 2,
    )  # fmt: skip


def card(slot, stamp, questions, pieces=1600, partner=""):
    return ModelCard(
        slot, stamp, stamp.id.title(), "ELECTRA", "/models", 1_000_000, 4_000_000, 128, "[MASK]",
        pieces, (), questions, {}, LoadReport(1), partner=partner,
    )  # fmt: skip
