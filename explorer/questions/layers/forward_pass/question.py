"""What does a model make of one token, step by step, on its way to a word?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    Cell,
    Choice,
    Entry,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    PassAttention,
    PassStep,
    Places,
    Question,
    ReadsEntities,
    Steps,
    StepwisePass,
    Token,
    Topic,
    a_text,
    asked,
    layer_and_head,
    made_of,
    one_place,
)
from explorer.document import Mask
from explorer.text import N_

LAYER, HEAD = layer_and_head("forward_pass")
ENCODER, DECODER = "encoder", "decoder"
STACK = Choice(
    N_("Followed in"),
    DECODER,
    N_(
        "Of a model with an encoder and a decoder: the decoder, which writes the answer, or the "
        "encoder, which reads the text."
    ),
    entries=(Entry(DECODER, N_("Decoder")), Entry(ENCODER, N_("Encoder"))),
    fits=lambda card: any(kind == "cross" for kind, _layers, _heads in card.stacks),
)
AT = Places(N_("Token followed"), (), in_bar=False, count=1, key="forward_pass.at")
"""The position of the token; none for the first mask."""


@dataclass(frozen=True)
class ForwardPassRequest(ReadsEntities):
    """Ask for one pass of a model, step by step, at the place of one token.

    Attributes:
        position: Of the token that is followed; of a model that predicts what comes next, it says
            what it expects after it. None for the first mask.
        layer: Where the page begins to look at heads.
        head: Whose keys and values are shown, in every layer.
        stack: Of a model with an encoder and a decoder, which of them the token is in.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    position: int | None = one_place(AT)
    layer: int = asked(LAYER)
    head: int = asked(HEAD)
    stack: str = asked(STACK)

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """With the last layer and head in the place of those that another model had."""
        stacks = cards[0].stacks
        if not stacks:
            return self
        _kind, layers, heads = stacks[0 if self.stack == ENCODER else -1]
        return replace(self, layer=min(self.layer, layers - 1), head=min(self.head, heads - 1))


@dataclass(frozen=True)
class PassWord:
    """One of the likeliest pieces at the end.

    Attributes:
        word: As people read it.
        id: Its number.
        logit: What the head gives it.
        probability: After the softmax over all pieces.
        row: Of the head's last matrix, float32; None where it can't be had.
        product: That row times the vector the matrix reads, without the bias; None without a row.
    """

    word: str
    id: int
    logit: float
    probability: float
    row: NDArray[np.float32] | None = None
    product: float | None = None


@dataclass(frozen=True)
class RowReading:
    """What the model's own head reads in the state that leaves a row of steps.

    Attributes:
        row: "emb.", a layer's number, "decoder 1".
        word: The likeliest piece there.
        probability: Its probability there.
        winner: That of the piece which is the likeliest at the end.
    """

    row: str
    word: str
    probability: float
    winner: float


@dataclass(frozen=True)
class ForwardPassResult:
    """One pass.

    Attributes:
        model: Whose.
        tokens: The input as the model saw it.
        followed: The tokens of the stack that the token is in.
        place: Of the token among them.
        kind: Of that stack.
        asked: The position in `tokens` that is followed or predicted.
        steps: In order.
        roles: What the matrix or table of each step is for; "" for none.
        attentions: In order.
        words: The likeliest pieces, the likeliest first; none of a model that predicts no tokens.
        pieces: How many pieces there are to choose from.
        verdict: Of a discriminator: the probability that the token was replaced.
        readings: At the ends of rows, in their order.
        layer: Where the page begins to look at heads.
        head: Whose keys and values there are.
        left_out: What did not fit, or None.
        is_read: The token is in an encoder, whose states a decoder reads.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    followed: tuple[Token, ...]
    place: int
    kind: str
    asked: int
    steps: tuple[PassStep, ...]
    roles: tuple[str, ...]
    attentions: tuple[PassAttention, ...]
    words: tuple[PassWord, ...]
    pieces: int
    verdict: float | None
    readings: tuple[RowReading, ...]
    layer: int
    head: int
    left_out: LeftOut | None = None
    is_read: bool = False

    @property
    def turned(self) -> str:
        """The row from which on the winner is the likeliest; "" where nothing is read."""
        if not self.words or not self.readings:
            return ""
        winner, found = self.words[0].word, ""
        for one in reversed(self.readings):
            if one.word != winner:
                break
            found = one.row
        return found


def summary(result: ForwardPassResult) -> Mapping[str, Cell]:
    """How many steps there are, and what they lead to."""
    first = result.words[0] if result.words else None
    return {
        "steps": len(result.steps),
        "word": first.word if first else None,
        "probability": first.probability if first else result.verdict,
        "logit": first.logit if first else None,
        "turned": result.turned or None,
    }


QUESTION = Question(
    name="forward_pass",
    title=N_("Forward pass"),
    asks=N_("What does a model make of one token, step by step, on its way to a word?"),
    about=N_(
        "One token goes through the model, with its real numbers. A strip is a vector: blue is "
        "below zero, orange above, and its length is written after it. Strips that are added, or "
        "compared, share a scale. Which norm comes where was found by running the model."
    ),
    listing=Listing(Topic.LOOK_INSIDE, 0, "play-box-outline"),
    found_by=(
        "step by step",
        "feed forward",
        "residual",
        "layer norm",
        "GELU",
        "softmax",
        "logits",
        "순전파",
        "단계별",
        "잔차",
    ),
    request=ForwardPassRequest,
    result=ForwardPassResult,
    parts=made_of(__name__, Steps),
    summary=summary,
    column_titles={
        "steps": N_("steps of the pass"),
        "word": N_("word"),
        "probability": N_("probability"),
        "logit": N_("logit"),
        "turned": N_("likeliest from layer"),
    },
    roles={MODEL: (StepwisePass,)},
    conditions=(a_text(N_("Type a sentence to follow one of its tokens through the model.")),),
)
