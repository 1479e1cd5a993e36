"""How many heads are off, and which, in words."""

from explorer.questions.attention.head_ablation.question import HeadAblationResult, stack_title
from explorer.text import _, ngettext


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
    """The heads of a stack that are off, in words: "layer 1, heads 2, 3; layer 2, all heads"."""
    kind, _layers, heads = stack
    layers: dict[int, list[str]] = {}
    for one in result.off:
        if one.kind == kind:
            layers.setdefault(one.layer, []).append(str(one.head))
    said = "; ".join(
        _("layer {layer}, all heads", layer=str(layer))
        if len(named) == heads
        else ngettext(
            "layer {layer}, head {heads}",
            "layer {layer}, heads {heads}",
            len(named),
            layer=str(layer),
            heads=", ".join(named),
        )
        for layer, named in layers.items()
    )
    return f"{stack_title(kind).lower()} {said}" if said and with_kind else said
