"""Heads switched off by a click, and what the model still predicts."""

from collections.abc import Iterable, Iterator

import numpy as np

from explorer.api.question import (
    Cards,
    Choices,
    Colours,
    HeadPlace,
    Heads,
    Manner,
    OneCard,
    OneChoice,
    Said,
    Toggles,
    sets,
)
from explorer.api.question.parts.predictions.changes import Changed
from explorer.questions.attention.head_ablation.question import (
    HEADS,
    NAMES,
    TITLES,
    HeadAblationRequest,
    HeadAblationResult,
    HeadEffects,
)
from explorer.text import N_, NN_, Phrase, _
from explorer.text.formatting.numbers import signed
from explorer.text.formatting.short import number, short
from explorer.text.phrase import NOTHING

LEAST, MOST, A_HEAD, BESIDE = 240.0, 560.0, 60.0, 600.0
"""Shares of the width: of the heads, by how many there are in a layer, and of the predictions."""
HINT = N_(
    "Click a head to switch it off, and again to switch it on; a layer's number takes all its "
    "heads."
)
IS_OFF = N_("A head that is off adds nothing to the output of its layer.")
OF_WORDS = N_(
    "Each cell is one head switched off alone: how the logarithm of the hidden word's probability "
    "changes (in nats; the mean over the masks; where nothing is hidden, of the word that was most "
    "probable). Blue: without the head the word is less probable."
)
OF_VERDICTS = N_(
    "Each cell is one head switched off alone: how far the probabilities that tokens were replaced "
    "move, the mean over all tokens."
)


def parts(
    result: HeadAblationResult, request: HeadAblationRequest | None = None
) -> Iterator[Said | Cards | Heads | Changed | Choices]:
    """Layers x heads to be clicked, and the predictions before and after beside them."""
    yield Said(said_of(result), Manner.STRONG)
    yield Said(HINT, Manner.HINT, near=True)
    yield Said(IS_OFF, Manner.ABOUT, near=True)
    effects = result.effects if request is None or request.every else ()
    most = max(heads for _kind, _layers, heads in result.stacks)
    share = min(max(LEAST, most * A_HEAD + 50), MOST)
    cards = OneCard("", tuple(_heads(result, effects))), OneCard("", (Changed(result.changes),))
    yield Cards(cards, framed=False, shares=(share, BESIDE))


def _heads(
    result: HeadAblationResult, effects: tuple[HeadEffects, ...]
) -> Iterator[Heads | Said | Choices]:
    """A grid for each stack, what their colours mean, and a button that brings all heads back."""
    values = {one.kind: one for one in effects}
    for stack in result.stacks:
        yield grid(result, stack, values)
    if effects:
        yield Said(OF_WORDS if result.changes.masks else OF_VERDICTS, near=True)
    on = OneChoice(
        N_("Enable all heads"),
        sets(HEADS, (), N_("switch all heads on")),
        tip=N_("Switch every head on again"),
        key=("all", "on"),
        undoes=True,
    )
    yield Choices((on,))


def grid(
    result: HeadAblationResult, stack: tuple[str, int, int], effects: dict[str, HeadEffects]
) -> Heads:
    """A stack of layers, with what each head does alone where that was measured."""
    kind, layers, heads = stack
    off = {(one.layer, one.head) for one in result.off if one.kind == kind}
    values = effects[kind].values if kind in effects else None
    masked = bool(result.changes.masks)
    # One scale for all stacks, so that their heads can be compared.
    largest = max((float(np.nanmax(abs(one.values))) for one in effects.values()), default=0.0)

    def said(layer: int, head: int) -> str:
        effect = None if values is None else float(values[layer, head])
        return head_said(layer, head, effect, is_off=(layer, head) in off, masked=masked)

    def toggle(layer: int, *chosen: int) -> Toggles:
        places = tuple(HeadPlace(kind, layer, head) for head in chosen)
        name = Phrase(N_("switch layer {layer}"), layer=str(layer))
        if len(chosen) == 1:
            one = N_("switch head {layer}.{head}")
            name = Phrase(one, layer=str(layer), head=str(chosen[0]))
        return Toggles(HEADS, places, name)

    return Heads(
        kind,
        TITLES[kind],
        tuple(map(str, range(layers))),
        heads,
        said,
        values,
        Colours(largest or 1.0, diverging=masked),
        _signed if masked else short,
        off,
        gesture=toggle,
        row_said=lambda layer: _("All heads of layer {layer}", layer=str(layer)),
        row_gesture=lambda layer: toggle(layer, *range(heads)),
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


def said_of(result: HeadAblationResult) -> Phrase:
    """How many heads are off, and which."""
    total = sum(layers * heads for _kind, layers, heads in result.stacks)
    if not result.off:
        return Phrase(N_("All {total} heads are on."), total=total)
    named = [one for stack in result.stacks if (one := _named(result, stack))]
    code = NN_(
        "{count} of {total} heads is off: {heads}.", "{count} of {total} heads are off: {heads}."
    )
    return Phrase(code, count=len(result.off), total=total, heads=listed(named))


def _named(result: HeadAblationResult, stack: tuple[str, int, int]) -> Phrase:
    """The heads of a stack that are off, in words: "layer 1, heads 2, 3; layer 2, all heads"."""
    kind, _layers, heads = stack
    layers: dict[int, list[str]] = {}
    for one in result.off:
        if one.kind == kind:
            layers.setdefault(one.layer, []).append(str(one.head))
    some = NN_("layer {layer}, head {heads}", "layer {layer}, heads {heads}")
    told = listed(
        Phrase(N_("layer {layer}, all heads"), layer=str(layer))
        if len(named) == heads
        else Phrase(some, count=len(named), layer=str(layer), heads=", ".join(named))
        for layer, named in layers.items()
    )
    if not told or len(result.stacks) < 2:
        return told
    return Phrase("{stack} {heads}", stack=Phrase(NAMES[kind]), heads=told)


def listed(texts: Iterable[Phrase]) -> Phrase:
    """One after the other."""
    first, *more = [*texts] or [NOTHING]
    return Phrase("{first}; {rest}", first=first, rest=listed(more)) if more else first
