"""Buttons that switch parts of the scores off, everywhere, in a layer or in a head."""

from collections.abc import Iterator

from explorer.questions.attention.disentangled_attention.question import (
    ABSOLUTE,
    HEAD,
    LAYER,
    OFF,
    WHERE,
    DisentangledAttentionResult,
    Off,
    off_words,
    part_name,
)
from explorer.text import _
from explorer.text.glossary import explain
from explorer.ui.blocks import Block, Chip, Chips, Edit, Shown, Space, toggle_in


def switches(shown: Shown) -> Iterator[Block]:
    """A button a part that the checkpoint has, and where it is switched off; none on paper."""
    if shown.alone:
        return
    result: DisentangledAttentionResult = shown.result
    off = OFF.of(shown.now)
    parts = [part.name for part in result.parts] + ([ABSOLUTE] if result.steps else [])
    chips = []
    for name in parts:
        one = meant(shown, name)
        label = part_name(name) if name == ABSOLUTE else name
        act, about = _toggle(shown, one), _about(name)
        chips.append(Chip(label, act, tip=about, key=("part", name), pressed=one in off))
    if off:
        on = shown.setting(OFF, (), _("switch all parts on"))
        about = _("Switch every part on again")
        chips.append(Chip(_("All on"), on, tip=about, key=("part", "all")))
    yield Chips(chips, Space.TIGHT, _("Switch off"), on_paper=True)
    chosen = WHERE.of(shown.now)
    places = [
        Chip(
            _(entry.title),
            shown.setting(WHERE, entry.value, _("switch parts off {where}", where=_(entry.title))),
            chosen=entry.value == chosen,
            key=("where", entry.value),
        )
        for entry in WHERE.entries
    ]
    yield Chips(places, Space.NEAR, _("Where"), on_paper=True)


def meant(shown: Shown, part: str) -> Off:
    """What the button of a part stands for: everywhere, in the layer or the head of now."""
    result: DisentangledAttentionResult = shown.result
    where = WHERE.of(shown.now)
    if part == ABSOLUTE or where == "everywhere":
        return Off(part)
    # A step of the mask decoder is the last layer again.
    layer = result.layer if result.step else min(LAYER.of(shown.now), result.layers - 1)
    if where == "layer":
        return Off(part, layer)
    return Off(part, layer, min(HEAD.of(shown.now), result.heads - 1))


def _toggle(shown: Shown, one: Off) -> Edit:
    if one in OFF.of(shown.now):
        name = _("switch {part} on", part=off_words([one]))
    else:
        name = _("switch {part} off", part=off_words([one]))
    return toggle_in(shown.asked, OFF, (one,), name)


def _about(part: str) -> str:
    if part == ABSOLUTE:
        about = _("Predict again without them: then it knows only how far tokens are apart.")
        return f"{explain('enhanced mask decoder')}\n{about}"
    about = _("Take it out of the scores, before the softmax, and predict again.")
    return f"{explain(part)}\n{about}"
