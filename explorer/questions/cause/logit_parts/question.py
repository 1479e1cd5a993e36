"""Which of the model's parts wrote one word rather than another at a mask?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    Answered,
    Cell,
    Choice,
    Entry,
    LeftOut,
    Listing,
    LogitParts,
    ModelCard,
    ModelStamp,
    Places,
    Predictor,
    Question,
    ReadsEntities,
    Switch,
    Table,
    Token,
    Topic,
    Whole,
    WordList,
    Words,
    WrittenBy,
    a_mask,
    a_text,
    asked,
    column,
    made_of,
    one_place,
)
from explorer.document import Mask
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

KINDS = ("encoder", "decoder", "cross")
"""Attention of every token to every token, to those before it, and of a decoder to its encoder."""
STRONGEST, IN_ORDER = "strongest", "model"
SMALL = 20_000_000
"""Parameters up to which a model's parts are taken out one by one without the Run button."""
WORDS = WordList(
    N_("Words compared"),
    (),
    N_(
        "Two words, with a comma between them: what is taken apart is the first one's logit minus "
        "the second one's. Empty: the most probable word, against the masked one where that is "
        "another, else against the second most probable."
    ),
    placeholder=N_("compared: trowel, hose"),
    most=2,
)
TOTALS = Switch(
    N_("Total effects"),
    True,
    N_(
        "Set each part to zero where it is read, alone, and compute the rest anew: what it changes "
        "in all, later layers included"
    ),
)
ORDER = Choice(
    N_("Order"),
    STRONGEST,
    entries=(
        Entry(STRONGEST, N_("Strongest first")),
        Entry(IN_ORDER, N_("As the model adds them")),
    ),
    redraws=True,
    key="logit_parts.order",
)
MOST = Whole(
    N_("Parts shown"),
    12,
    N_("The others are one bar, so that all bars together end at the difference."),
    low=3,
    high=60,
    redraws=True,
    key="logit_parts.most",
)
OPENED = Words(
    N_("Part opened"),
    "",
    N_("A head or a feed-forward part, as head 3.1 or feed_forward 3. Empty: the strongest one."),
    in_bar=False,
)
AT = Places(N_("Mask read"), (), in_bar=False, count=1, key="logit_parts.at")
"""The position of the mask; none for the first."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class LogitPartsRequest(ReadsEntities):
    """Ask what the difference between two words' logits at a mask is the sum of.

    Attributes:
        text: The sentence; a literal [MASK] in it counts as a mask.
        pair: The second sentence, or None.
        masks: Masked ranges of characters.
        words: The two words; none for those that the model's own prediction suggests.
        totals: What each part changes in all, too.
        opened: The part that is opened; "" for the strongest that can be.
        position: Of the mask; None for the first.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    words: tuple[str, ...] = asked(WORDS)
    totals: bool = asked(TOTALS)
    opened: str = asked(OPENED, made=str.strip)
    position: int | None = one_place(AT)


@dataclass(frozen=True)
class WrittenPart:
    """What one part adds to the difference.

    Attributes:
        by: One of `WrittenBy`.
        kind: "encoder", "decoder" or "cross"; "" for what is in no stack.
        row: "3" for a layer, "3.1" for a head, "decoder 1" for a decoder's pass; the parameter's
            name for a bias.
        value: In nats, on the direct path.
        total: How far the difference falls where the part adds nothing; None where that was not
            asked, or can't be.
    """

    by: str
    kind: str
    row: str
    value: float
    total: float | None = None

    @property
    def name(self) -> str:
        """As the option of the opened part has it: "head encoder 3.1"."""
        return " ".join(filter(None, (self.by, self.kind, self.row)))

    @property
    def opens(self) -> bool:
        """Whether it is made of tokens, or of neurons."""
        return self.by in (WrittenBy.HEAD, WrittenBy.FEED_FORWARD)


@dataclass(frozen=True)
class OpenedHead:
    """What a head brought from each token that it looks at.

    Attributes:
        tokens: Them.
        weights: How much it looks at each. Shape [tokens], float32.
        values: What each adds to the difference. Shape [tokens], float32.
    """

    tokens: tuple[Token, ...]
    weights: Floats
    values: Floats


@dataclass(frozen=True)
class OpenedNeurons:
    """What the neurons of a feed-forward part add.

    Attributes:
        count: How many there are.
        numbers: Of the strongest ones, strongest first. Shape [n], int32.
        activations: How active each of these is. Shape [n], float32.
        values: What each adds to the difference. Shape [n], float32.
        others: What all others add together.
        bias: What the bias of the last matrix adds.
    """

    count: int
    numbers: NDArray[np.int32]
    activations: Floats
    values: Floats
    others: float
    bias: float


@dataclass(frozen=True)
class LogitPartsResult:
    """A difference of two logits and what it is the sum of.

    Attributes:
        model: Whose.
        tokens: The input as the model saw it.
        position: Of the mask that is read.
        words: The two words, as a person writes them.
        chances: Their probabilities there.
        difference: The first one's logit minus the second one's, in nats.
        missing: How far the sum of all parts is from it.
        parts: All, in the order of a run; biases come last.
        opened: The name of the part that is opened; "" where none can be.
        head: What it brought, where it is a head.
        neurons: What its neurons add, where it is a feed-forward part.
        correlation: Spearman's, of what parts add directly and in all; None where it is not there.
        note: Why the opened part is not told apart; "" where it is.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    position: int
    words: tuple[str, str]
    chances: tuple[float, float]
    difference: float
    missing: float
    parts: tuple[WrittenPart, ...]
    opened: str = ""
    head: OpenedHead | None = None
    neurons: OpenedNeurons | None = None
    correlation: float | None = None
    note: Phrase = NOTHING
    left_out: LeftOut | None = None

    @property
    def open_part(self) -> WrittenPart | None:
        """The part that is opened."""
        return next((one for one in self.parts if one.name == self.opened), None)


def part_named(parts: Sequence[WrittenPart], name: str) -> WrittenPart | None:
    """The part that a name stands for, with or without its stack; None where there is none.

    Args:
        parts: That can be opened.
        name: "head 3.1", "head cross 1.0", "feed_forward decoder 1".
    """
    by, _space, rest = name.strip().partition(" ")
    for one in parts:
        if one.by == by and rest in (one.row, f"{one.kind} {one.row}"):
            return one
    return None


def strongest(parts: Sequence[WrittenPart]) -> WrittenPart | None:
    """The largest part that can be opened."""
    opening = [one for one in parts if one.opens]
    return max(opening, key=lambda one: abs(one.value), default=None)


@dataclass(frozen=True)
class LogitPartRow:
    """What a part adds to the difference."""

    part: str = column(N_("part"), key=True)
    stack: str = column(N_("stack"), key=True)
    row: str = column(N_("layer"), key=True)
    value: float = column(N_("adds"), unit=N_("nats"), digits=3)
    total: float | None = column(N_("in all"), unit=N_("nats"), digits=3)


def table(result: LogitPartsResult) -> Table:
    """One row a part, in the order of a run."""
    rows = (LogitPartRow(one.by, one.kind, one.row, one.value, one.total) for one in result.parts)
    return Table.of(LogitPartRow, rows)


COLUMN_TITLES = {
    "compared": N_("compared"),
    "difference": N_("difference"),
    "strongest": N_("strongest part"),
    "adds": N_("adds"),
    "correlation": N_("rank correlation with the total effects"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: LogitPartsResult) -> Mapping[str, Cell]:
    """The difference, the part that adds most to it, and how far direct and total effects agree."""
    first, second = result.words
    largest = strongest(result.parts)
    return {
        "compared": f"{first} - {second}",
        "difference": result.difference,
        "strongest": "" if largest is None else largest.name,
        "adds": None if largest is None else largest.value,
        "correlation": result.correlation,
    }


def waits(document: Any, card: ModelCard, answered: Answered | None) -> bool:
    """A large model is run once for each part: when the user says so, and once is enough."""
    if not TOTALS.of(document) or card.parameters <= SMALL:
        return False
    if answered is None or answered.result.model != card.stamp:
        return True
    before, now = LogitPartsRequest.of(answered.asked), LogitPartsRequest.of(document)
    return not before.totals or _apart(before) != _apart(now)


def _apart(request: LogitPartsRequest) -> tuple[Any, ...]:
    """What total effects depend on."""
    return request.text, request.pair, request.masks, request.words, request.position


QUESTION = Question(
    name="logit_parts",
    title=N_("Where it is written"),
    asks=N_("Which of the model's parts wrote one word rather than another at a mask?"),
    listing=Listing(Topic.EXPLAIN, 6, "stairs-up"),
    found_by=(
        "direct logit attribution",
        "logit attribution",
        "residual stream decomposition",
        "DLA",
        "로짓 귀속",
        "로짓 분해",
        "어디에 쓰였나",
    ),
    about=N_(
        "A logit is the sum of what embeddings, heads, feed-forward parts and biases add to the "
        "stream of the token that is read, once what norms divide by and what the output head's "
        "activation multiplies with are held as they are. The bars are direct paths: what a part "
        "changes in later layers counts as theirs. The total effect is how far the difference "
        "falls when a part adds nothing there and everything after it is computed anew."
    ),
    request=LogitPartsRequest,
    result=LogitPartsResult,
    parts=made_of(__name__),
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"order": ORDER, "most": MOST},
    roles={MODEL: (Predictor, LogitParts)},
    options=(ORDER, MOST),
    conditions=(
        a_text(N_("Type a sentence, then click a word to mask it.")),
        a_mask(N_("Click a word to mask it: what wrote the answer there is shown.")),
    ),
    is_expensive=waits,
    waiting_hint=N_(
        "Every part is set to zero once, alone, which takes this model a while. Press Run, or "
        "switch the total effects off."
    ),
)
