"""Which label does each token of a text have?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api import (
    MODEL,
    TOKENS,
    Cell,
    LeftOut,
    Listing,
    ModelStamp,
    Operation,
    Places,
    ReadsEntities,
    Table,
    Token,
    TokenClassifier,
    a_text,
    column,
    computed,
    stated,
)
from explorer.document import Document
from explorer.numerics.spans import softmax
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

OUTSIDE = "O"
"""The label of what is nothing, as in the data of CoNLL 2003."""

AT = Places(N_("Token"), (), redraws=True, in_bar=False, count=1, key="token_labels.at")
"""The token whose labels are all shown; none for the first that has one."""


@dataclass(frozen=True)
class TokenLabelsRequest(ReadsEntities):
    """Ask for every token's label.

    Attributes:
        text: The sentence.
        pair: The second sentence, or None.
    """

    text: str
    pair: str | None = None

    @staticmethod
    def of(document: Document) -> "TokenLabelsRequest":
        """The question a document asks."""
        return TokenLabelsRequest(document.text, document.pair)


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

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Tokens x classes."""
        return softmax(self.logits)

    @property
    def best(self) -> tuple[int, ...]:
        """The number of every token's likeliest label."""
        return tuple(self.logits.argmax(axis=-1).tolist())

    @property
    def places(self) -> tuple[int, ...]:
        """Positions of the text's own tokens."""
        return tuple(n for n, one in enumerate(self.tokens) if not one.special)

    @property
    def labelled(self) -> tuple[int, ...]:
        """Those whose likeliest label is not "O"."""
        return tuple(n for n in self.places if self.labels[self.best[n]] != OUTSIDE)


@dataclass(frozen=True)
class LabelRow:
    """A token of the text with its likeliest label."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible)
    part: int = column(N_("text"), shown=False)
    start: int = column(N_("first character"), shown=False)
    end: int = column(N_("one past the last"), shown=False)
    label: str = column(N_("label"))
    probability: float = column(N_("probability"), written=in_digits)


def table(result: TokenLabelsResult) -> Table:
    """One row a token of the text."""
    chances, best = result.probabilities, result.best
    rows = []
    for place in result.places:
        token, label = result.tokens[place], best[place]
        chance = float(chances[place, label])
        where = (token.part, token.start, token.end)
        rows.append(LabelRow(place, token.text, *where, result.labels[label], chance))
    return Table.of(LabelRow, rows)


COLUMN_TITLES = {
    "tokens": N_("tokens"),
    "labelled": N_("labelled"),
    "least_probability": N_("least probability"),
    "labels": N_("labels"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: TokenLabelsResult) -> Mapping[str, Cell]:
    """How many tokens have a label, and how sure the model is of the least sure one."""
    chances = [float(result.probabilities[n, result.best[n]]) for n in result.places]
    return {
        "tokens": len(result.places),
        "labelled": len(result.labelled),
        "least_probability": min(chances, default=None),
        "labels": " ".join(result.labels[result.best[n]] for n in result.places),
    }


OPERATION = Operation(
    name="token_labels",
    title=N_("Token labels"),
    question=N_("Which label does each token have?"),
    listing=Listing(N_("Pairs"), 75, "tag-text-outline"),
    found_by=(
        "NER",
        "named entity recognition",
        "token classification",
        "part of speech",
        "POS tagging",
        "개체명 인식",
        "품사 태깅",
    ),
    request=TokenLabelsRequest,
    result=TokenLabelsResult,
    run=computed(__name__),
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    headline=stated(__name__),
    roles={MODEL: (TokenClassifier,)},
    options=(AT,),
    conditions=(a_text(N_("Type a sentence to see the label of each of its tokens.")),),
)
