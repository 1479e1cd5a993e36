"""What does the model still predict when some attention heads contribute nothing?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from explorer.api import (
    MODEL,
    TOKENS,
    AttentionModules,
    Cell,
    Discriminator,
    HeadPlace,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Operation,
    Option,
    Predictor,
    ReadsEntities,
    Switch,
    Table,
    Token,
    a_mask,
    a_text,
    any_of,
    column,
    computed,
    spaces_stay_visible,
    stated,
)
from explorer.api.question.asks import asked
from explorer.document import Mask
from explorer.questions.masking.masked_tokens.question import LANGUAGES
from explorer.text import N_, Phrase, _
from explorer.text.formatting.probabilities import in_digits
from explorer.text.phrase import NOTHING

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


def stack_title(kind: str) -> str:
    """What a stack of layers is called."""
    return {
        "encoder": _("Encoder"),
        "decoder": _("Decoder"),
        "cross": _("From the decoder to the encoder"),
    }[kind]


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
                stack=stack_title(one.kind),
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
class WordChange:
    """One word at one mask.

    Attributes:
        word: As a person writes it.
        token: As the tokenizer writes it.
        id: Its number in the vocabulary; of a span, its first piece's.
        before: Its probability.
        after: The same, switched off; None where a span was not found again.
        rank_before: 1 for the most probable.
        rank_after: The same, switched off.
        is_original: It is what stood under the mask.
    """

    word: str
    token: str
    id: int
    before: float | None
    after: float | None
    rank_before: int | None
    rank_after: int | None
    is_original: bool = False

    @property
    def change(self) -> float | None:
        """After minus before."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


@dataclass(frozen=True)
class MaskChange:
    """What happened at one mask.

    Attributes:
        position: Index of the masked token in the input.
        words: The top k before and the top k after, and the original; the most probable before
            first.
        entropy_before: Of the whole distribution, in nats.
        entropy_after: The same, switched off.
    """

    position: int
    words: tuple[WordChange, ...]
    entropy_before: float
    entropy_after: float

    @property
    def best(self) -> tuple[WordChange, WordChange]:
        """The most probable word before, and after."""
        before = min(self.words, key=lambda one: one.rank_before or 10**9)
        return before, min(self.words, key=lambda one: one.rank_after or 10**9)


@dataclass(frozen=True)
class Changes:
    """A model's predictions before and after an intervention.

    Attributes:
        tokens: The input as the model saw it.
        masks: In the order of the input.
        replaced_before: A discriminator's probability that each token was replaced; None for
            models without such a head. Shape [tokens], float32.
        replaced_after: The same after the intervention.
        left_out: What did not fit, or None.
        note: What must be known of how the model saw the text.
    """

    tokens: tuple[Token, ...]
    masks: tuple[MaskChange, ...]
    replaced_before: NDArray[np.float32] | None = None
    replaced_after: NDArray[np.float32] | None = None
    left_out: LeftOut | None = None
    note: Phrase = NOTHING

    @property
    def most_moved(self) -> tuple[MaskChange, WordChange] | None:
        """The mask and the word whose probability changed most; None where no change is known."""
        moved = [
            (abs(one.change), mask, one)
            for mask in self.masks
            for one in mask.words
            if one.change is not None
        ]
        if not moved:
            return None
        _far, mask, word = max(moved, key=lambda one: one[0])
        return mask, word


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
    changes: Changes
    effects: tuple[HeadEffects, ...] = ()

    @property
    def left_out(self) -> LeftOut | None:
        """What did not fit, or None."""
        return self.changes.left_out


@dataclass(frozen=True)
class ChangeRow:
    """A word at a mask before and after, or a token that a discriminator judges."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    word: str = column(N_("word"), key=True)
    token: str = column(N_("token"))
    id: int = column(N_("id"), compared=False)
    before: float | None = column(N_("before"), written=in_digits)
    after: float | None = column(N_("after"), written=in_digits)
    change: float | None = column(N_("change"), digits=4)
    rank_before: int | None = column(N_("rank before"))
    rank_after: int | None = column(N_("rank after"))
    is_original: bool = column(N_("original"), compared=False)


def table(result: HeadAblationResult) -> Table:
    """One row a word, or for a discriminator a token."""
    changes = result.changes
    rows = [
        ChangeRow(
            *(mask.position, one.word, one.token, one.id, one.before, one.after, one.change),
            *(one.rank_before, one.rank_after, one.is_original),
        )
        for mask in changes.masks
        for one in mask.words
    ]
    if changes.replaced_before is not None and changes.replaced_after is not None:
        both = zip(changes.replaced_before.tolist(), changes.replaced_after.tolist(), strict=True)
        rows += [
            ChangeRow(n, "", token.text, token.id, was, now, now - was, None, None, False)
            for n, (token, (was, now)) in enumerate(zip(changes.tokens, both, strict=True))
        ]
    return Table.of(ChangeRow, rows)


COLUMN_TITLES = {
    "word_before": N_("word before"),
    "probability_before": N_("probability before"),
    "same_word_after": N_("the same word after"),
    "word_after": N_("word after"),
    "probability_after": N_("probability after"),
    "mean_change_replaced": N_("mean change of “replaced”"),
    "heads_off": N_("heads off"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: HeadAblationResult) -> Mapping[str, Cell]:
    """How much the first mask's prediction changed, or the discriminator's."""
    row: dict[str, Cell] = {}
    if result.changes.masks:
        before, after = result.changes.masks[0].best
        row |= {
            "word_before": before.word,
            "probability_before": before.before,
            "same_word_after": before.after,
            "word_after": after.word,
            "probability_after": after.after,
        }
    before_all, after_all = result.changes.replaced_before, result.changes.replaced_after
    if before_all is not None and after_all is not None:
        row["mean_change_replaced"] = float(abs(after_all - before_all).mean())
    row["heads_off"] = len(result.off)
    return row


def judges(_document: Any, cards: Sequence[ModelCard]) -> bool:
    """Whether the model says of every token whether it was replaced, and needs no mask."""
    return bool(cards) and "replaced_tokens" in cards[0].operations


OPERATION = Operation(
    name="head_ablation",
    title=N_("Head ablation"),
    question=N_("What does the model still predict when some of its attention heads say nothing?"),
    listing=Listing(N_("Attention"), 58, "toggle-switch-off-outline", "Alt+Shift+7"),
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
    run=computed(__name__),
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    headline=stated(__name__),
    roles={MODEL: (AttentionModules, any_of(Predictor, Discriminator))},
    conditions=(
        a_text(N_("Type a sentence, then click a word to mask it.")),
        a_mask(
            N_("Click a word to mask it: what the model expects there is compared."), spared=judges
        ),
    ),
    upgrades=(spaces_stay_visible,),
    formerly=("switch_off",),
)
