"""Which label does each token of a text have?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    Labels,
    LeftOut,
    Listing,
    ModelStamp,
    Question,
    ReadsEntities,
    Token,
    TokenClassifier,
    Topic,
    a_text,
)
from explorer.text import N_

OUTSIDE = "O"
"""The label of what is nothing, as in the data of CoNLL 2003."""


@dataclass(frozen=True)
class TokenLabelsRequest(ReadsEntities):
    """Ask for every token's label.

    Attributes:
        text: The sentence.
        pair: The second sentence, or None.
    """

    text: str
    pair: str | None = None


@dataclass(frozen=True)
class TokenLabelsResult:
    """The labels of every token.

    Attributes:
        model: Who labelled.
        tokens: The input as the model saw it.
        labels: Names of the classes.
        logits: Raw scores, tokens x classes, float32.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    labels: tuple[str, ...]
    logits: NDArray[np.float32]
    left_out: LeftOut | None = None


def parts(result: TokenLabelsResult) -> tuple[Labels]:
    """The sentence with its labels."""
    return (Labels(result.tokens, result.labels, result.logits, OUTSIDE),)


QUESTION = Question(
    name="token_labels",
    title=N_("Token classification"),
    asks=N_("Which label does each token have?"),
    about=N_(
        "Below each token is its likeliest label; the colour says how probable it is."
        " “O” means none. Labels are made for pieces: whether only the first piece of"
        " a word counts is up to the training data."
    ),
    elsewhere=N_(
        "Labels are given by models that were fine-tuned for them, as bert-labels-miniature; "
        "their class is called ...ForTokenClassification."
    ),
    listing=Listing(Topic.TASKS, 2, "tag-text-outline", in_overview=1),
    found_by=(
        "NER",
        "named entity recognition",
        "part of speech",
        "POS tagging",
        "개체명 인식",
        "품사 태깅",
        "토큰 레이블",
    ),
    request=TokenLabelsRequest,
    result=TokenLabelsResult,
    parts=parts,
    roles={MODEL: (TokenClassifier,)},
    conditions=(a_text(N_("Type a sentence to see the label of each of its tokens.")),),
)
