"""Where a loaded model's attentions are, as its family's layout says, and whether that is so."""

import re
from dataclasses import dataclass
from functools import reduce
from typing import Any

from explorer.api.family import Unavailable
from explorer.hf.attention.layout import AttentionKind, AttentionLayout, AttentionStack
from explorer.hf.attention.rows import HeadRows
from explorer.hf.loading.memory.weighing import shape_of
from explorer.text import N_


@dataclass(frozen=True)
class ScoreRule:
    """How scores follow from products, as two runs showed it.

    Attributes:
        scale: What products are multiplied with.
        adds_positions: Something is added to them that no text changes.
        cap: They are bent below this number: cap * tanh(score / cap); 0 where they are not.
    """

    scale: float
    adds_positions: bool = False
    cap: float = 0.0


@dataclass(frozen=True)
class AttentionModule:
    """A torch module that makes attention.

    Attributes:
        kind: Who attends to whom in it.
        layers: Numbers of its layers, counted within the kind from 0: one, or several where
            layers share their weights (ALBERT); in the order in which a forward pass calls it.
        module: Its input is the layer's; its scores are made in its forward.
        layout: How it makes them.
        output: The linear module behind it; its input holds what every head contributes, one
            after the other (batch x tokens x heads * width).
        heads: How many.
        width: Dimensions of one head.
        scale: What the product of a query and a key is multiplied with.
        windows: For each of its layers how far a token sees to each side; None for all the text.
        rule: How its scores follow from products, where it was found in a run; None where its
            family's layout says how.
        parts: Of one that was found: where its queries, keys and values come from; None of what
            no module gives as it is multiplied.
    """

    kind: AttentionKind
    layers: tuple[int, ...]
    module: Any
    layout: AttentionLayout
    output: Any
    heads: int
    width: int
    scale: float
    windows: tuple[int | None, ...]
    rule: ScoreRule | None = None
    parts: tuple[HeadRows | None, ...] = ()


def find_attentions(module: Any, layout: AttentionLayout) -> tuple[AttentionModule, ...]:
    """The attentions of a model, in the order of its layers.

    Args:
        module: A torch module of transformers.
        layout: What its family says of them.

    Raises:
        Unavailable: The module is not as the layout says, or the layout says why not.
    """
    if layout.refusal:
        raise Unavailable(layout.refusal)
    if layout.found:
        return layout.found
    found: list[AttentionModule] = []
    for stack in layout.stacks:
        found += _stack(module, layout, stack)
    return tuple(found)


def depth_of(layout: AttentionLayout, stack: AttentionStack, config: Any) -> int:
    """The number of layers that a config says a stack has."""
    return int(stack.layers(config) if stack.layers else getattr(config, layout.layers_key, 0))


def heads_of(modules: tuple[AttentionModule, ...], kind: AttentionKind) -> tuple[int, int]:
    """Number of layers of a kind, and of heads in each."""
    chosen = [one for one in modules if one.kind is kind]
    return sum(len(one.layers) for one in chosen), max((one.heads for one in chosen), default=0)


def path_pattern(end: str) -> re.Pattern[str]:
    """Finds the paths with an end; its groups are the numbers that "*" stands for.

    Args:
        end: End of a path of modules, as a layout has it: "encoder.layer.*.attention".
    """
    segments = [r"(\d+)" if one == "*" else re.escape(one) for one in end.split(".")]
    return re.compile(r"(?:^|\.)" + r"\.".join(segments) + "$")


def _stack(whole: Any, layout: AttentionLayout, stack: AttentionStack) -> list[AttentionModule]:
    config = whole.config
    found: list[AttentionModule] = []
    pattern = path_pattern(stack.block)
    for path, block in whole.named_modules():
        place = pattern.search(path)
        if place is None:
            continue
        numbers = tuple(int(one) for one in place.groups())
        layers = layout.shared(config, numbers) if layout.shared else (len(found),)
        found.append(_attention(path, block, layout, stack.kind, layers, config))
    expected = depth_of(layout, stack, config)
    layers_found = sorted(layer for one in found for layer in one.layers)
    if not found or layers_found != list(range(expected)):
        raise _misfit(
            f"its plugin looks for {expected} layers at {stack.block} and finds {len(layers_found)}"
        )
    return found


def _attention(
    path: str,
    block: Any,
    layout: AttentionLayout,
    kind: AttentionKind,
    layers: tuple[int, ...],
    config: Any,
) -> AttentionModule:
    """One, with every part that the layout names in its place and of the right size."""
    inside = _part(path, block, layout.inside)
    output = _part(path, block, layout.output)
    heads = int(getattr(config, layout.heads_key, 0))
    together = _sizes(output)[0]
    if not heads or together % heads:
        raise _misfit(f"its config says {heads} heads and {path} is {together} wide")
    below = f"{path}.{layout.inside}" if layout.inside else path
    width = together // heads
    given = 3 // len(layout.projections) * together
    for place, name in enumerate(layout.projections):
        size = _sizes(_part(below, inside, name))[1]
        if size != given and not (place and _are_shared(size, width, heads)):
            raise _misfit(f"{below}.{name} gives {size} numbers in the place of {given}")
    for name in (*layout.biases, *layout.normed, layout.bias_method):
        _part(below, inside, name)
    window = layout.window
    windows = tuple(window(config, layer) if window else None for layer in layers)
    scale = layout.scale(inside, width)
    return AttentionModule(kind, layers, inside, layout, output, heads, width, scale, windows)


def _are_shared(size: int, width: int, heads: int) -> bool:
    """Whether so many numbers are keys of fewer heads, each for as many heads of queries."""
    return size > 0 and size % width == 0 and heads % (size // width) == 0


def _part(path: str, module: Any, name: str) -> Any:
    """What a dotted name stands for.

    Raises:
        Unavailable: There is nothing of this name.
    """
    try:
        return reduce(getattr, name.split("."), module) if name else module
    except AttributeError:
        raise _misfit(f"its plugin looks for {path}.{name}, which is not there") from None


def _sizes(linear: Any) -> tuple[int, int]:
    """Numbers that go into a linear module, and that come out of it."""
    weight = getattr(linear, "weight", None)
    if weight is None or len(shape_of(weight)) != 2:
        raise _misfit(f"its plugin takes a {type(linear).__name__} for a linear layer")
    first, second = shape_of(weight)
    # transformers' Conv1D keeps its matrix the other way round.
    return (first, second) if type(linear).__name__ == "Conv1D" else (second, first)


def _misfit(what: str) -> Unavailable:
    return Unavailable(N_("This model's attention can't be taken apart: {what}."), what=what)
