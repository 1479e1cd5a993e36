"""Heads switched off by a click, and what the model still predicts."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from explorer.api import HeadPlace, ModelCard
from explorer.document import Document
from explorer.questions.attention.head_ablation.changes import change_blocks
from explorer.questions.attention.head_ablation.question import (
    EVERY,
    HEADS,
    OPERATION,
    HeadAblationResult,
    HeadEffects,
)
from explorer.text import N_, _, ngettext
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, note
from explorer.ui.document.gestures import Edit, Where
from explorer.ui.matrices.heads.cells import WIDEST, Heads, heads_block
from explorer.ui.matrices.scale import Scale, number, short

SMALL = 20_000_000
"""Parameters up to which a model's heads are measured without the Run button."""
LEAST, MOST, BESIDE = 240.0, 560.0, 600.0
"""Shares of the width: of the heads, by how many there are in a layer, and of the predictions."""
NARROWEST = 330.0
"""Of the heads, and of the predictions; they stand one below the other where there is less."""


def blocks(shown: Shown) -> Iterator[Block]:
    """Layers x heads to be clicked, and the predictions before and after beside them."""
    result: HeadAblationResult = shown.result
    yield Text(said_of(result), "strong")
    if not shown.alone:
        yield note(
            _(
                "Click a head to switch it off, and again to switch it on; a layer's number takes "
                "all its heads. A head that is off adds nothing to what its layer hands on."
            ),
            above=2,
        )
    most = max(heads for _kind, _layers, heads in result.stacks)
    share = min(max(LEAST, most * WIDEST + 50), MOST)
    yield Columns(
        [Card(list(_heads(shown))), Card(list(change_blocks(result.changes, shown.asked)))],
        NARROWEST,
        framed=False,
        shares=(share, BESIDE),
    )


def _heads(shown: Shown) -> Iterator[Block]:
    """A grid for each stack, what their colours mean, and a button that brings all heads back."""
    result: HeadAblationResult = shown.result
    effects = {one.kind: one for one in result.effects} if shown.value(EVERY) else {}
    for stack in result.stacks:
        yield heads_block(_grid(shown, stack, effects))
    if effects and result.changes.masks:
        yield note(
            _(
                "Each cell is one head switched off alone: how the logarithm of the hidden word's "
                "probability changes (in nats; the mean over the masks; where nothing is hidden, "
                "of the word that was most probable). Blue: without the head the word is less "
                "probable."
            )
        )
    elif effects:
        yield note(
            _(
                "Each cell is one head switched off alone: how far the probabilities that tokens "
                "were replaced move, the mean over all tokens."
            )
        )
    if not shown.alone and HEADS.of(shown.now):
        on = shown.setting(HEADS, (), _("switch all heads on"))
        words = _("Switch every head on again")
        yield Chips([Chip(_("All on"), on, tip=words, key=("all", "on"))])


def _grid(shown: Shown, stack: tuple[str, int, int], effects: dict[str, HeadEffects]) -> Heads:
    result: HeadAblationResult = shown.result
    kind, layers, heads = stack
    off = {(one.layer, one.head) for one in result.off if one.kind == kind}
    values = effects[kind].values if kind in effects else None
    masked = bool(result.changes.masks)
    # One scale for all stacks, so that their heads can be compared.
    scale = Scale()
    if effects:
        together = np.concatenate([one.values.reshape(-1) for one in effects.values()])
        scale = Scale.about_zero(together) if masked else Scale.from_zero(together)

    def words(layer: int, head: int) -> str:
        effect = None if values is None else float(values[layer, head])
        return head_said(layer, head, effect, is_off=(layer, head) in off, masked=masked)

    def toggle(layer: int, *chosen: int) -> Edit:
        places = {HeadPlace(kind, layer, head) for head in chosen}
        name = _("switch layer {layer}", layer=str(layer))
        if len(chosen) == 1:
            name = _("switch head {layer}.{head}", layer=str(layer), head=str(chosen[0]))
        return Edit(name, shown.asked, partial(_toggled, places))

    return Heads(
        name=kind,
        title=stack_title(kind),
        rows=tuple(str(layer) for layer in range(layers)),
        heads=heads,
        words=words,
        values=values,
        scale=scale,
        written=_signed if masked else short,
        off=off,
        about_row=lambda layer: _("All heads of layer {layer}", layer=str(layer)),
        act=toggle,
        row_act=lambda layer: toggle(layer, *range(heads)),
    )


def _toggled(these: set[HeadPlace], now: Document, _where: Where) -> Document:
    """Heads off that were on; on again where all of them were off."""
    # The heads of now: several may be clicked before an answer comes.
    chosen = set(HEADS.of(now))
    chosen = chosen - these if these <= chosen else chosen | these
    return now.with_option(HEADS.key, HEADS.written(tuple(chosen)))


def stack_title(kind: str) -> str:
    """What a stack of layers is called."""
    return {
        "encoder": _("Encoder"),
        "decoder": _("Decoder"),
        "cross": _("From the decoder to the encoder"),
    }[kind]


def head_said(layer: int, head: int, effect: float | None, *, is_off: bool, masked: bool) -> str:
    """What is said of a head: whether it is on, what it does alone, what a click does."""
    place = {"layer": str(layer), "head": str(head)}
    lines = [
        _("Layer {layer}, head {head}: off", **place)
        if is_off
        else _("Layer {layer}, head {head}: on", **place)
    ]
    if effect is not None and masked:
        lines.append(_("Off alone: {change} nats", change=number(effect, signed=True)))
    elif effect is not None:
        lines.append(_("Off alone: {change}", change=number(effect)))
    lines.append(_("Click to switch it on.") if is_off else _("Click to switch it off."))
    return "\n".join(lines)


def _signed(value: float) -> str:
    text = f"{value:+.2f}".replace("-", "−")
    return "0" if text in {"+0.00", "−0.00"} else text


def said_of(result: HeadAblationResult) -> str:
    """How many heads are off, and which."""
    total = sum(layers * heads for _kind, layers, heads in result.stacks)
    if not result.off:
        return _("All {total} heads are on.", total=total)
    several = len(result.stacks) > 1
    named = "; ".join(filter(None, (_named(result, one, several) for one in result.stacks)))
    return ngettext(
        "{count} of {total} heads is off: {heads}.",
        "{count} of {total} heads are off: {heads}.",
        len(result.off),
        total=total,
        heads=named,
    )


def _named(result: HeadAblationResult, stack: tuple[str, int, int], with_kind: bool) -> str:
    """The heads of a stack that are off, in words: "layer 1: 2, 3; layer 2: all"."""
    kind, _layers, heads = stack
    layers: dict[int, list[str]] = {}
    for one in result.off:
        if one.kind == kind:
            layers.setdefault(one.layer, []).append(str(one.head))
    said = "; ".join(
        _("layer {layer}: all", layer=str(layer))
        if len(named) == heads
        else _("layer {layer}: {heads}", layer=str(layer), heads=", ".join(named))
        for layer, named in layers.items()
    )
    return f"{stack_title(kind).lower()} {said}" if said and with_kind else said


def waits(document: Document, card: ModelCard, shown: Shown | None) -> bool:
    """A large model's heads are measured when the user says so; once a text is enough."""
    if not EVERY.of(document) or card.parameters <= SMALL:
        return False
    if shown is None or not shown.result.effects or shown.result.model != card.stamp:
        return True
    one = shown.asked
    return (one.text, one.pair, one.masks) != (document.text, document.pair, document.masks)


PAGE = Page(
    OPERATION,
    blocks,
    waits=waits,
    waiting_hint=(
        N_(
            "Every head is switched off once, alone, which takes this model a while. Press Run to "
            "see what each of them does."
        )
    ),
)
