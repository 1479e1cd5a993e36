"""What does each attention head look at?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    READS_ENTITIES,
    Attentions,
    Cell,
    Choice,
    Entry,
    HeadChoice,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Number,
    Places,
    Question,
    ReadsEntities,
    Switch,
    Table,
    TableColumn,
    Token,
    Topic,
    WordList,
    a_text,
    asked,
    column,
    rows_changed,
    spaces_stay_visible,
)
from explorer.document import Mask
from explorer.numerics.attention_patterns import MEASURES
from explorer.questions.attention.stacks import ANSWER, ENTITIES, KIND, TITLE
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

Values = NDArray[np.floating[Any]]

CELLS = 600_000
"""Cells of an overview at most, all heads together."""

SMALLEST, LARGEST = 16, 96
"""Rows or columns of one head in the overview."""

SHOWN, HIDDEN, RENORMALISED = "shown", "hidden", "renormalised"
"""What becomes of special tokens. Hidden, a row no longer sums to one, and what is missing went to
them; renormalised, every row is divided by its sum."""

MERGED = Switch(
    N_("Words"),
    default=False,
    tip=N_(
        "Pieces of a word as one: the weight to a word is the sum over its pieces, the weight from "
        "it their mean"
    ),
)
SPECIAL_TOKENS = Choice(
    N_("Special tokens"),
    SHOWN,
    N_("What becomes of special tokens; renormalised, they are hidden and rows sum to one"),
    entries=(
        Entry(SHOWN, N_("Special: shown")),
        Entry(HIDDEN, N_("Special: hidden")),
        Entry(RENORMALISED, N_("Special: renormalised")),
    ),
)
LOGARITHMIC = Switch(
    N_("Log"),
    default=False,
    tip=N_("Colours by powers of ten, down to 1/10,000"),
    redraws=True,
    key="attention.log",
)
CHANGE = "change"
"""Heads ranked by how much they differ from the pinned answer."""
RANKED = {
    "previous": N_("Ranked: previous token"),
    "next": N_("Ranked: next token"),
    "same": N_("Ranked: same token"),
    "first": N_("Ranked: first token"),
    "separator": N_("Ranked: separator"),
    "strongest": N_("Ranked: one token"),
    "entropy": N_("Ranked: spread"),
    "distance": N_("Ranked: distance"),
}
"""By each pattern: the whole text, as a translator needs it."""

RANK = Choice(
    N_("Order of the heads"),
    "",
    redraws=True,
    entries=(
        Entry("", N_("By layer"), N_("A line a layer, a column a head")),
        Entry(CHANGE, N_("Ranked: change")),
        *(Entry(one.name, RANKED[one.name], one.meaning) for one in MEASURES),
    ),
    key="attention.rank",
)
SHOW = Choice(
    N_("View"),
    "both",
    redraws=True,
    beside=True,
    entries=(
        Entry("both", N_("Both")),
        Entry("all", N_("All heads")),
        Entry("one", N_("One head")),
    ),
    key="attention.show",
    in_sight=True,
)


HEAD = HeadChoice(
    N_("Head"),
    "0.0",
    N_("Which head, or how several are made one"),
    redraws=True,
    key="attention.head",
    in_sight=True,
)
DRAW = Choice(
    N_("Draw as"),
    "matrix",
    redraws=True,
    beside=True,
    entries=(Entry("matrix", N_("Matrix")), Entry("lines", N_("Lines"))),
    key="attention.draw",
    in_sight=True,
)
THRESHOLD = Number(
    N_("From"),
    0.05,
    N_("Draw lines from this weight up"),
    redraws=True,
    key="attention.threshold",
)
ADDED = WordList(
    N_("Heads drawn as lines besides the chosen one"),
    (),
    redraws=True,
    in_bar=False,
    key="attention.lines",
)
ALONE = Places(
    N_("Token whose lines are shown alone"),
    (),
    N_("Side (0 looks, 1 is looked at) and place of a token"),
    redraws=True,
    in_bar=False,
    count=2,
    key="attention.token",
)


@dataclass(frozen=True)
class AttentionRequest(ReadsEntities):
    """Ask for attention: of all heads small, or of a few in full.

    A literal [MASK] in the text counts as a mask. Of `heads`, "3.5" is layer 3, head 5, both from
    0 on; "3.mean" and "3.max" are over a layer's heads, "mean" and "max" over all heads of all
    layers, "rollout" follows all layers, "rollout.3" those up to 3. None of them is all small.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    kind: str = asked(KIND)
    answer: str = asked(ANSWER)
    words: bool = asked(MERGED)
    special: str = asked(SPECIAL_TOKENS)
    heads: tuple[str, ...] = asked(
        WordList(N_("Heads"), (), N_("Answer with these heads in full alone, as 0.1 or mean.")),
        is_held=False,
    )

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """Of the model's first attention where it has not the one that was chosen."""
        kinds = [kind for kind, _, _ in cards[0].stacks]
        kinds += [ENTITIES] if READS_ENTITIES in cards[0].operations else []
        return self if self.kind in kinds else replace(self, kind="")


@dataclass(frozen=True)
class AttentionPlace:
    """A row or a column of the attention: a token, or the tokens of a word.

    Attributes:
        label: As a person reads it; a piece inside a word begins with "##".
        first: Position of its first token in its text.
        last: Position of its last token; another than the first for a word of several pieces.
        special: Added by the model.
    """

    label: str
    first: int
    last: int
    special: bool = False


@dataclass(frozen=True)
class AttentionResult:
    """Attention of one kind.

    Attributes:
        model: Whose it is.
        tokens: What the model read; the rows of "encoder" and "decoder", the columns of "cross".
        kind: "encoder", "decoder" or "cross".
        kinds: Those the model has.
        layers: How many.
        heads: In a layer.
        queries: The rows: who looks.
        keys: The columns: what is looked at.
        causal: Nothing may look at what comes later.
        block: Rows and columns that a cell of the overview stands for.
        overview: layers x heads x rows x columns, float16; each cell the largest weight of those
            it stands for. Empty where heads were asked for in full.
        undefined: Fields in which "not a number" says that there is none.
        measures: measures x layers x heads, float32, in the order of `measure_names`; not a
            number where a head can't have it. Of the model's own tokens, nothing merged or hidden.
        measure_names: See explorer.numerics.attention_patterns.
        chosen: The heads in full, as they were asked for.
        weights: chosen x queries x keys, float32; empty where none were asked for.
        half: The weights were kept as float16 (11 bits), as all of them would be very large.
        left_out: What did not fit, or None.
        note: What must be known; "" where there is nothing to say.
    """

    undefined: ClassVar = frozenset({"measures"})

    model: ModelStamp
    tokens: tuple[Token, ...]
    kind: str
    kinds: tuple[str, ...]
    layers: int
    heads: int
    queries: tuple[AttentionPlace, ...]
    keys: tuple[AttentionPlace, ...]
    causal: bool
    block: tuple[int, int]
    overview: NDArray[np.float16]
    measures: NDArray[np.float32]
    measure_names: tuple[str, ...]
    chosen: tuple[str, ...]
    weights: NDArray[np.float32]
    half: bool = False
    left_out: LeftOut | None = None
    note: Phrase = NOTHING


def block_of(heads: int, rows: int, columns: int) -> tuple[int, int]:
    """Rows and columns that one cell of the overview stands for."""
    side = min(max(math.isqrt(CELLS // max(heads, 1)), SMALLEST), LARGEST)
    return max(1, math.ceil(rows / side)), max(1, math.ceil(columns / side))


def table(result: AttentionResult) -> Table:
    """One row a weight of heads in full; else one row a head with its measures."""
    return weights_table(result) if result.chosen else measures_table(result)


@dataclass(frozen=True)
class WeightRow:
    """A weight from a place to another; of several heads as one, `head` says how they are one."""

    layer: int | None = column(N_("layer"), key=True)
    head: int | str = column(N_("head"), key=True)
    from_position: int = column(N_("position of the query"), compared=False)
    query: str = column(N_("query"), key=True, name="from")
    to_position: int = column(N_("position of the key"), compared=False)
    to: str = column(N_("key"), key=True)
    weight: float = column(N_("weight"), digits=3)


def weights_table(result: AttentionResult) -> Table:
    """A row a weight: of the heads in full, or of all heads where each was kept whole."""
    every = (
        zip(map(layer_and_head, result.chosen), result.weights.tolist(), strict=True)
        if result.chosen
        else (
            ((layer, head), of_head)
            for layer, heads in enumerate(result.overview.tolist())
            for head, of_head in enumerate(heads)
        )
    )
    # A cell of the overview may stand for several tokens; it is told by the first of them.
    down, across = (1, 1) if result.chosen else result.block
    queries, keys = result.queries[::down], result.keys[::across]
    return Table.of(
        WeightRow,
        (
            (*head, query.first, query.label, key.first, key.label, weight)
            for head, rows in every
            for query, row in zip(queries, rows, strict=True)
            for key, weight in zip(keys, row, strict=True)
        ),
    )


def layer_and_head(choice: str) -> tuple[Cell, Cell]:
    """Both of a choice of heads, each in a column of its own: "3.10" alone is read as 3.1.

    "rollout.3" is layer 3's "rollout", "mean" of no layer.
    """
    first, _dot, second = choice.partition(".")
    if first == "rollout":
        return (int(second) if second else None), first
    if not first.isdecimal():
        return None, first
    return int(first), (int(second) if second.isdecimal() else second)


def measures_table(result: AttentionResult) -> Table:
    """One row a head with its measures."""
    heads = (TableColumn(name, title, key=True) for name, title in HEAD_TITLES.items())
    measures = (TableColumn(one.name, one.title, digits=3, tip=one.meaning) for one in MEASURES)
    return Table(
        (*HEAD_TITLES, *result.measure_names),
        tuple(
            (layer, head, *(_cell(one) for one in result.measures[:, layer, head].tolist()))
            for layer in range(result.layers)
            for head in range(result.heads)
        ),
        {one.name: one for one in (*heads, *measures)},
    )


def _cell(value: float) -> float | None:
    return value if math.isfinite(value) else None


HEAD_TITLES = {"layer": N_("layer"), "head": N_("head")}
COLUMN_TITLES = {
    "tokens": N_("tokens"),
    "kind": N_("kind"),
    "mean entropy": N_("mean entropy"),
    "* head": N_("its head"),
    **{one.name: one.title for one in MEASURES},
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: AttentionResult) -> Mapping[str, Cell]:
    """The mean spread of all heads, and for every pattern the head that has most of it."""
    found: dict[str, Cell] = {"tokens": len(result.tokens), "kind": result.kind}
    for name, of_heads in zip(result.measure_names, result.measures, strict=True):
        flat = [(-1.0 if not math.isfinite(v) else v) for v in of_heads.ravel().tolist()]
        best = max(range(len(flat)), key=flat.__getitem__)
        if name == "entropy":
            found["mean entropy"] = sum(flat) / len(flat)
        elif flat[best] >= 0:
            found[name] = flat[best]
            found[f"{name} head"] = f"{best // result.heads}.{best % result.heads}"
    return found


QUESTION = Question(
    name="attention",
    title=TITLE,
    asks=N_("What does each attention head look at?"),
    listing=Listing(Topic.LOOK_INSIDE, 3, "grid", "Alt+Shift+4", in_overview=1),
    found_by=(
        "attention map",
        "heatmap",
        "heads",
        "self-attention",
        "multi-head attention",
        "attention rollout",
        "어텐션",
        "히트맵",
        "셀프 어텐션",
        "헤드",
    ),
    request=AttentionRequest,
    result=AttentionResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    roles={MODEL: (Attentions,)},
    options=(
        SHOW,
        KIND,
        HEAD,
        DRAW,
        THRESHOLD,
        RANK,
        SPECIAL_TOKENS,
        MERGED,
        LOGARITHMIC,
        ANSWER,
        ADDED,
        ALONE,
    ),
    conditions=(a_text(N_("Type a sentence to see what each attention head looks at.")),),
    upgrades=(rows_changed, spaces_stay_visible),
)
