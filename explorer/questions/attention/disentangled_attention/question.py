"""What do content and position each add to an attention score, and what if one were missing?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    AttentionDecomposition,
    Cell,
    Choice,
    Entry,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Option,
    Places,
    Question,
    ReadsEntities,
    Switch,
    Token,
    Topic,
    a_text,
    asked,
    layer_and_head,
    spaces_stay_visible,
)
from explorer.api.question.parts.predictions.changes import Changed, PredictionChanges
from explorer.document import Mask
from explorer.text import N_, Phrase, _
from explorer.text.phrase import NOTHING

PARTS = ("c2c", "c2p", "p2c")
"""Content to content, content to position, position to content (He et al. 2021, section 3.1)."""

ABSOLUTE = "absolute"
"""The absolute positions that the enhanced mask decoder adds (He et al. 2021, section 3.2)."""

TOLERANCE = 1e-4
"""Largest difference between the sum of the parts and the model's own scores, in float32."""


@dataclass(frozen=True)
class Off:
    """A part of the scores that is switched off.

    Attributes:
        part: One of PARTS, or ABSOLUTE.
        layer: Counted from 0; None in every layer.
        head: Counted from 0; None in every head.
    """

    part: str
    layer: int | None = None
    head: int | None = None

    def holds(self, part: str, layer: int, head: int) -> bool:
        """Whether a head's part is off because of this."""
        return part == self.part and self.layer in (None, layer) and self.head in (None, head)


NAMES = {
    "c2c": N_("content to content"),
    "c2p": N_("content to position"),
    "p2c": N_("position to content"),
    ABSOLUTE: N_("absolute positions"),
}
"""Parts in words."""


def part_name(part: str) -> str:
    """A part in words."""
    return _(NAMES[part])


def off_said(off: Sequence[Off]) -> Phrase:
    """What is off, in words."""
    first, *more = [*map(_one_off, off)] or [NOTHING]
    for one in more:
        first = Phrase(N_("{one}; {other}"), one=first, other=one)
    return first


def off_words(off: Sequence[Off]) -> str:
    """The same in the reader's language."""
    return off_said(off).said


def _one_off(one: Off) -> Phrase:
    part, layer, head = Phrase(NAMES[one.part]), str(one.layer), str(one.head)
    if one.part == ABSOLUTE:
        return Phrase(N_("{part} in the mask decoder"), part=part)
    if one.layer is None:
        return Phrase(N_("{part} everywhere"), part=part)
    if one.head is None:
        return Phrase(N_("{part} in layer {layer}"), part=part, layer=layer)
    return Phrase(N_("{part} in layer {layer}, head {head}"), part=part, layer=layer, head=head)


def off_of(written: Any) -> tuple[Off, ...]:
    """Parts as an option holds them ([part, layer or null, head or null]); the rest is left out."""
    found = []
    for one in written if isinstance(written, list) else []:
        if isinstance(one, list) and len(one) == 3 and one[0] in (*PARTS, ABSOLUTE):
            part, layer, head = one
            if all(value is None or isinstance(value, int) for value in (layer, head)):
                found.append(Off(part, layer, head))
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class OffOption(Option[tuple[Off, ...]]):
    """Parts that are switched off; a document holds lists of [part, layer, head], null for all."""

    def accepts(self, value: Any) -> bool:
        """Whether it is a list; parts in it that can't be read are left out."""
        return isinstance(value, list)

    def cast(self, value: Any) -> tuple[Off, ...]:
        """The parts of a list."""
        return off_of(list(value))

    def written(self, value: tuple[Off, ...]) -> Any:
        """The list; nothing where nothing is off."""
        return [[one.part, one.layer, one.head] for one in value] or None

    def said(self, value: tuple[Off, ...]) -> str:
        """The parts by name, with the head that each is off in."""
        return off_words(value)


STEP = Choice(
    N_("Stack"),
    0,
    entries=(
        Entry(0, N_("Encoder")),
        Entry(1, N_("Mask decoder, step 1")),
        Entry(2, N_("Mask decoder, step 2")),
    ),
)
LAYER, HEAD = layer_and_head("disentangled_attention")
LAYER = replace(
    LAYER,
    idle=lambda document: (
        N_("The mask decoder applies the last layer again.") if STEP.of(document) else ""
    ),
)
OFF = OffOption(N_("Parts switched off"), (), in_bar=False)
WHERE = Choice(
    N_("Where parts are switched off"),
    "everywhere",
    redraws=True,
    in_bar=False,
    entries=(
        Entry("everywhere", N_("everywhere")),
        Entry("layer", N_("in this layer")),
        Entry("head", N_("in this head")),
    ),
    key="disentangled_attention.where",
)
ALL_DISTANCES = Switch(
    N_("All distances"),
    default=False,
    tip=N_("Draw the distances that this text does not have, too"),
    redraws=True,
    in_bar=False,
    key="disentangled_attention.all_distances",
)
PAIR = Places(
    N_("Pair of tokens"), (), redraws=True, in_bar=False, key="disentangled_attention.pair"
)

MASKED_LM = "masked_lm"
"""The head for which the enhanced mask decoder runs."""


@dataclass(frozen=True)
class DisentangledAttentionRequest(ReadsEntities):
    """Ask for the parts of one head's scores, and what is predicted with some of them off.

    A step of the mask decoder applies the last layer again: `layer` is of no matter then.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    top_k: int = 10
    step: int = asked(STEP)
    layer: int = asked(LAYER)
    head: int = asked(HEAD)
    off: tuple[Off, ...] = asked(OFF, kept=tuple)

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """With the last layer and head in the place of those that another model had."""
        card = cards[0]
        if card.attention_shape is None:
            return self
        layers, heads = card.attention_shape
        decodes = any(head.name == MASKED_LM and head.present for head in card.heads)
        off = (
            one
            for one in self.off
            if (one.layer or 0) < layers
            and (one.head or 0) < heads
            and (decodes or one.part != ABSOLUTE)
        )
        return replace(
            self,
            layer=min(self.layer, layers - 1),
            head=min(self.head, heads - 1),
            step=self.step if decodes else 0,
            off=tuple(off),
        )


@dataclass(frozen=True)
class ScorePart:
    """One of the parts that add up to the scores.

    Attributes:
        name: One of PARTS.
        scores: Shape [tokens, tokens], float32: a query a row, a key a column; scaled as in the
            model, before the softmax.
        shares: Shape [layers, heads], float32: how much of the differences between the keys that
            a token can look at comes from this part. From every row of scores its mean is taken
            away (softmax does not see it), then the root of the mean square is a part's size,
            and its share is its size divided by the sum of all parts' sizes. The steps of the
            enhanced mask decoder follow the encoder's layers.
    """

    name: str
    scores: NDArray[np.float32]
    shares: NDArray[np.float32]


@dataclass(frozen=True)
class DistanceBias:
    """What one part adds at each relative distance, whatever is there.

    Attributes:
        part: "c2p" or "p2c".
        mean: Shape [heads, distances], float32: the part's score at a distance, the mean over all
            tokens of this text as the content (queries for c2p, keys for p2c), for every head of
            the layer; scaled as in the model, before the softmax.
        deviation: The standard deviation over the tokens, of the same shape.
    """

    part: str
    mean: NDArray[np.float32]
    deviation: NDArray[np.float32]


@dataclass(frozen=True)
class DisentangledAttentionResult:
    """One head taken apart, and the predictions with and without some of its parts.

    Attributes:
        model: Who attends.
        tokens: The input as the model saw it.
        layer: Whose parts these are.
        head: The same.
        step: The same.
        layers: How many the encoder has.
        heads: In each layer.
        steps: Of the enhanced mask decoder; 0 without one.
        parts: The parts that this checkpoint has, in the order of PARTS.
        scores: Shape [tokens, tokens], float32: the model's own, as its softmax gets them.
        attention: Shape [tokens, tokens], float32: the model's own, as its softmax gives it.
        sum_error: Largest difference between the sum of the parts and the model's own scores, in
            this head.
        largest_error: The same over all heads, layers and steps.
        distances: Shape [distances], int32: the place of the key minus that of the query.
        buckets: Shape [distances], int32: the row of the table of relative positions that stands
            for a distance; several distances share one where they are counted in buckets.
        biases: For each part that knows positions.
        off: What was switched off.
        attention_after: As attention, switched off; None where nothing is.
        changes: Predictions before and after; None where there is nothing to predict.
        left_out: What did not fit, or None.
        note: What must be known of this checkpoint's parts; "" where there is nothing to say.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    layer: int
    head: int
    step: int
    layers: int
    heads: int
    steps: int
    parts: tuple[ScorePart, ...]
    scores: NDArray[np.float32]
    attention: NDArray[np.float32]
    sum_error: float
    largest_error: float
    distances: NDArray[np.int32]
    buckets: NDArray[np.int32]
    biases: tuple[DistanceBias, ...] = ()
    off: tuple[Off, ...] = ()
    attention_after: NDArray[np.float32] | None = None
    changes: PredictionChanges | None = None
    left_out: LeftOut | None = None
    note: Phrase = NOTHING

    def part(self, name: str) -> ScorePart | None:
        """A part by its name, or None where the checkpoint has it not."""
        return next((one for one in self.parts if one.name == name), None)


COLUMN_TITLES = {
    "layer": N_("layer"),
    "head": N_("head"),
    "step": N_("step"),
    "*_share": N_("share of {which}"),
    "*_share_of_all": N_("share of {which}, all heads"),
    "sum_error": N_("error of the sum"),
    **Changed.TITLES,
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: DisentangledAttentionResult) -> Mapping[str, Cell]:
    """The head's shares, and those of all heads together."""
    row: dict[str, Cell] = {"layer": result.layer, "head": result.head, "step": result.step}
    line = result.layers + result.step - 1 if result.step else result.layer
    for part in result.parts:
        row[f"{part.name}_share"] = float(part.shares[line, result.head])
        row[f"{part.name}_share_of_all"] = float(part.shares.mean())
    row["sum_error"] = result.largest_error
    if result.changes is not None and result.changes.masks:
        before, after = result.changes.masks[0].best
        row |= {
            "word_before": before.word,
            "probability_before": before.before,
            "word_after": after.word,
            "probability_after": after.after,
        }
    return row


QUESTION = Question(
    name="disentangled_attention",
    title=N_("Disentangled attention"),
    asks=N_("What do content and position each add to DeBERTa's attention?"),
    elsewhere=N_("DeBERTa keeps content and position apart."),
    listing=Listing(Topic.LOOK_INSIDE, 6, "puzzle-outline", "Alt+Shift+8", in_overview=1),
    found_by=(
        "DeBERTa",
        "relative position",
        "c2p",
        "p2c",
        "enhanced mask decoder",
        "상대 위치",
        "분리된 어텐션",
    ),
    request=DisentangledAttentionRequest,
    result=DisentangledAttentionResult,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"off": OFF, "where": WHERE, "layer": LAYER, "head": HEAD, "whole": ALL_DISTANCES},
    roles={MODEL: (AttentionDecomposition,)},
    options=(WHERE, ALL_DISTANCES, PAIR),
    conditions=(
        a_text(N_("Type a sentence to see what content and position add to DeBERTa's attention.")),
    ),
    upgrades=(spaces_stay_visible,),
    formerly=("disentangle",),
)
