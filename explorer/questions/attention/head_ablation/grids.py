"""The heads of every stack as a grid: a click switches them off and on."""

import numpy as np

from explorer.api import HeadPlace
from explorer.questions.attention.head_ablation.question import (
    HEADS,
    HeadAblationResult,
    HeadEffects,
    stack_title,
)
from explorer.text import _
from explorer.text.formatting.numbers import signed
from explorer.ui.blocks.shown import Shown
from explorer.ui.document.gestures import Edit, toggle_in
from explorer.ui.matrices.heads.cells import Heads
from explorer.ui.matrices.scale import Scale, number, short


def grid(shown: Shown, stack: tuple[str, int, int], effects: dict[str, HeadEffects]) -> Heads:
    """A stack of layers, with what each head does alone where that was measured."""
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
        places = [HeadPlace(kind, layer, head) for head in chosen]
        name = _("switch layer {layer}", layer=str(layer))
        if len(chosen) == 1:
            name = _("switch head {layer}.{head}", layer=str(layer), head=str(chosen[0]))
        return toggle_in(shown.asked, HEADS, places, name)

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
    return signed(value, 2) if round(value, 2) else "0"
