"""What does the model still predict when some attention heads contribute nothing?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    Answered,
    AttentionModules,
    Cell,
    Discriminator,
    HeadPlace,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Option,
    Predictor,
    Question,
    ReadsEntities,
    Switch,
    Table,
    Token,
    Topic,
    a_mask,
    a_text,
    any_of,
    asked,
    spaces_stay_visible,
)
from explorer.api.question.parts.predictions.changes import Changed, PredictionChanges
from explorer.document import Mask
from explorer.questions.masking.masked_tokens.question import LANGUAGES
from explorer.text import N_, _

KINDS = ("encoder", "decoder", "cross")
"""Attention of every token to every token, to those before it, and of a decoder to its encoder."""


def places_of(written: Any) -> tuple[HeadPlace, ...]:
    """Heads as an option holds them ([kind, layer, head]); what can't be read is left out."""
    found = []
    for one in written if isinstance(written, list) else []:
        if isinstance(one, list) and len(one) == 3 and one[0] in KINDS:
            kind, layer, head = one
            if isinstance(layer, int) and isinstance(head, int):
                found.append(HeadPlace(kind, layer, head))
    return tuple(sorted(set(found), key=_order))


def _order(place: HeadPlace) -> tuple[int, int, int]:
    return KINDS.index(place.kind), place.layer, place.head


TITLES = {
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder"),
    "cross": N_("From the decoder to the encoder"),
}
"""What stacks of layers are called."""
NAMES = {
    "encoder": N_("encoder"),
    "decoder": N_("decoder"),
    "cross": N_("from the decoder to the encoder"),
}
"""The same in a sentence."""
SMALL = 20_000_000
"""Parameters up to which a model's heads are measured without the Run button."""


@dataclass(frozen=True)
class HeadsOption(Option[tuple[HeadPlace, ...]]):
    """Some heads, chosen by clicks; a document holds a list of [kind, layer, head]."""

    def accepts(self, value: Any) -> bool:
        """Whether it is a list; heads in it that can't be read are left out."""
        return isinstance(value, list)

    def cast(self, value: Any) -> tuple[HeadPlace, ...]:
        """The heads of a list."""
        return places_of(list(value))

    def written(self, value: tuple[HeadPlace, ...]) -> Any:
        """The list; nothing where there is no head."""
        return [[one.kind, one.layer, one.head] for one in sorted(value, key=_order)] or None

    def said(self, value: tuple[HeadPlace, ...]) -> str:
        """Each with its stack and its layer."""
        return "; ".join(
            _(
                "{stack}, layer {layer}, head {head}",
                stack=_(TITLES[one.kind]),
                layer=str(one.layer),
                head=str(one.head),
            )
            for one in value
        )


HEADS = HeadsOption(N_("Heads switched off"), (), in_bar=False)
EVERY = Switch(
    N_("Measure every head"),
    default=False,
    tip=N_(
        "Switch every head off once, alone, and colour the heads by what that does to the "
        "predictions"
    ),
)


@dataclass(frozen=True)
class HeadAblationRequest(ReadsEntities):
    """Ask for the predictions before and after.

    A literal [MASK] in the text counts as a mask, and a whole layer is all of its heads. As many
    words before, and after, are told of as `top_k` says.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    top_k: int = 10
    heads: tuple[HeadPlace, ...] = asked(HEADS, kept=tuple)
    every: bool = asked(EVERY)
    languages: tuple[str, ...] = asked(LANGUAGES, is_held=False)

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """Without the heads of a larger model that was loaded before."""
        shape = cards[0].attention_shape
        if shape is None:
            return self
        layers, heads = shape
        there = (one for one in self.heads if one.layer < layers and one.head < heads)
        return replace(self, heads=tuple(there))


@dataclass(frozen=True)
class HeadEffects:
    """What each head of a stack does for these predictions, switched off alone.

    Attributes:
        kind: One of KINDS.
        values: Shape [layers, heads], float32. With masks: the change of the logarithm of the
            probability of what stood there (else of the most probable word), in nats, the mean
            over the masks. For a discriminator without masks: the mean absolute change of the
            probabilities.
    """

    kind: str
    values: NDArray[np.float32]


@dataclass(frozen=True)
class HeadAblationResult:
    """Predictions before and after.

    Attributes:
        model: Who predicts.
        tokens: The input as the model saw it.
        stacks: Kind, layers and heads of each stack that the model has.
        off: What was switched off.
        changes: The predictions.
        effects: For every head alone, where that was asked for; a stack each.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    stacks: tuple[tuple[str, int, int], ...]
    off: tuple[HeadPlace, ...]
    changes: PredictionChanges
    effects: tuple[HeadEffects, ...] = ()

    @property
    def left_out(self) -> LeftOut | None:
        """What did not fit, or None."""
        return self.changes.left_out


def table(result: HeadAblationResult) -> Table:
    """The predictions before and after."""
    return Changed(result.changes).table()


def summary(result: HeadAblationResult) -> Mapping[str, Cell]:
    """How much the predictions changed, and by how many heads."""
    return {**Changed(result.changes).summary(), "heads_off": len(result.off)}


def waits(document: Any, card: ModelCard, answered: Answered | None) -> bool:
    """A large model's heads are measured when the user says so; once a text is enough."""
    if not EVERY.of(document) or card.parameters <= SMALL:
        return False
    if answered is None or not answered.result.effects or answered.result.model != card.stamp:
        return True
    one = answered.asked
    return bool((one.text, one.pair, one.masks) != (document.text, document.pair, document.masks))


def judges(_document: Any, cards: Sequence[ModelCard]) -> bool:
    """Whether the model says of every token whether it was replaced, and needs no mask."""
    return bool(cards) and "replaced_tokens" in cards[0].operations


QUESTION = Question(
    name="head_ablation",
    title=N_("Head ablation"),
    asks=N_("What does the model still predict when some of its attention heads say nothing?"),
    listing=Listing(Topic.EXPLAIN, 5, "toggle-switch-off-outline", "Alt+Shift+7"),
    found_by=(
        "ablation",
        "pruning",
        "head importance",
        "switch heads off",
        "가지치기",
        "헤드 제거",
    ),
    request=HeadAblationRequest,
    result=HeadAblationResult,
    table=table,
    summary=summary,
    column_titles={"heads_off": N_("heads off")},
    roles={MODEL: (AttentionModules, any_of(Predictor, Discriminator))},
    conditions=(
        a_text(N_("Type a sentence, then click a word to mask it.")),
        a_mask(
            N_("Click a word to mask it: what the model expects there is compared."), spared=judges
        ),
    ),
    is_expensive=waits,
    waiting_hint=N_(
        "Every head is switched off once, alone, which takes this model a while. Press Run to see "
        "what each of them does."
    ),
    upgrades=(spaces_stay_visible,),
    formerly=("switch_off",),
)
