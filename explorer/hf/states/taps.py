"""Where in a loaded model its family's streams are, and whether that is so."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import Component, PatchStack, Unavailable
from explorer.api.question import EMBEDDINGS
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.modules import AttentionModule, path_pattern
from explorer.hf.states.streams import StreamStack
from explorer.text import N_

Shared = Callable[[Any, tuple[int, ...]], tuple[int, ...]]


@dataclass(frozen=True)
class Tap:
    """One call of a module in a run: what comes out of it, or what goes into it.

    Attributes:
        module: A torch module.
        call: Which of its calls, counted from 0: shared layers are called again and again.
        is_input: What goes into it.
    """

    module: Any
    call: int = 0
    is_input: bool = False


@dataclass(frozen=True)
class TapRow:
    """A row of states.

    Attributes:
        name: As `PatchStack.rows` has it.
        taps: Where it is; all of them are put back together.
        head: Which head's share of the numbers; None for all.
        heads: How many heads share them.
    """

    name: str
    taps: tuple[Tap, ...]
    head: int | None = None
    heads: int = 1


@dataclass(frozen=True)
class TappedStack:
    """A stack of states and where each row is."""

    component: Component
    kind: AttentionKind
    rows: tuple[TapRow, ...]

    def told(self) -> PatchStack:
        """The same without torch."""
        return PatchStack(self.component, self.kind.value, tuple(row.name for row in self.rows))


@dataclass(frozen=True)
class Tapped:
    """All of a model.

    Attributes:
        stacks: Of what can be put back, in the order of a run.
        dear: Modules that need not run again below a state that is put back.
        neurons: Of what goes into the last matrices of the feed-forward parts, by kind; a row a
            layer, with a tap for each feed-forward network in it, in their order. None of a kind
            whose family names no linear modules.
        mixing: Modules that give the stream behind the first layer in its place, with something
            of their own added.
    """

    stacks: tuple[TappedStack, ...]
    dear: tuple[Any, ...]
    neurons: tuple[TappedStack, ...] = ()
    mixing: tuple[Any, ...] = ()

    def row(self, component: Component, kind: str, row: int) -> TapRow:
        """One row.

        Raises:
            Unavailable: There is none.
        """
        for one in (*self.stacks, *self.neurons):
            if one.component is component and one.kind == kind and 0 <= row < len(one.rows):
                return one.rows[row]
        raise Unavailable(N_("This model has no such states to put back."))


def find_taps(
    whole: Any,
    stacks: Sequence[StreamStack],
    attentions: Sequence[AttentionModule],
    shared: Shared | None = None,
    passes: int = 0,
) -> Tapped:
    """The states of a model that can be put back.

    Args:
        whole: A torch module of transformers.
        stacks: What its family says.
        attentions: Its attentions; none where they can't be taken apart.
        shared: As in `AttentionLayout`.
        passes: How often a decoder applies the last layer again, in the place of its first call.

    Raises:
        Unavailable: The module is not as its family says.
    """
    named = dict(whole.named_modules())
    find = _Finder(named, whole.config, shared)
    found: list[TappedStack] = []
    dear: list[Any] = []
    neurons: list[TappedStack] = []
    mixing: list[Any] = []
    for stack in stacks:
        own = [one for one in attentions if stack.kind in (None, one.kind)]
        kind = stack.kind or (own[0].kind if own else AttentionKind.ENCODER)
        layers = find.by_layer(stack.layers)
        expected = len({layer for one in own for layer in one.layers if one.kind is kind})
        if not layers or sorted(layers) != list(range(expected or len(layers))):
            raise _misfit(stack.layers)
        found.append(_residual(find, stack, kind, layers, passes))
        added = find.all_by_layer(stack.feed_forward)
        heads = [one for one in attentions if one.kind is kind]
        if heads:
            found += _attention(heads, kind, passes)
        elif stack.attention:
            outputs = _of_all(layers, find.by_layer(stack.attention), stack.attention)
            found.append(_stack(Component.ATTENTION, kind, outputs, passes))
        if stack.feed_forward:
            added = _of_all(layers, added, " ".join(stack.feed_forward))
            found.append(_stack(Component.FEED_FORWARD, kind, added, passes))
        entered = _entered(find.all_by_layer(stack.neurons or stack.feed_forward))
        if sorted(entered) == sorted(layers):
            neurons.append(_stack(Component.NEURON, kind, entered, passes))
        if kind is AttentionKind.DECODER and stack.kind is not None:
            crossing = [one for one in attentions if one.kind is AttentionKind.CROSS]
            found += _attention(crossing, AttentionKind.CROSS, passes) if crossing else []
        mixing += find.modules(stack.behind) if stack.behind else []
        dear += [m for end in stack.dear or (stack.layers,) for m in find.modules(end)]
    return Tapped(tuple(found), tuple(dict.fromkeys(dear)), tuple(neurons), tuple(mixing))


class _Finder:
    """Modules by the ends of their paths."""

    def __init__(self, named: Mapping[str, Any], config: Any, shared: Shared | None) -> None:
        self._named, self._config, self._shared = named, config, shared

    def modules(self, end: str) -> list[Any]:
        pattern = path_pattern(end)
        return [module for path, module in self._named.items() if pattern.search(path)]

    def all_by_layer(self, ends: Sequence[str]) -> dict[int, tuple[Tap, ...]]:
        """What comes out of the modules of each layer, of several ends one after the other."""
        found: dict[int, tuple[Tap, ...]] = {}
        for end in ends:
            for layer, taps in self.by_layer(end).items():
                found[layer] = (*found.get(layer, ()), *taps)
        return found

    def by_layer(self, end: str) -> dict[int, tuple[Tap, ...]]:
        """What comes out of the modules of each layer."""
        pattern = path_pattern(end)
        found: dict[int, tuple[Tap, ...]] = {}
        for path, module in self._named.items():
            place = pattern.search(path)
            if place is None:
                continue
            numbers = tuple(int(one) for one in place.groups())
            layers = self._shared(self._config, numbers) if self._shared else numbers[:1]
            for call, layer in enumerate(layers):
                found[layer] = (*found.get(layer, ()), Tap(module, call))
        return found


def _residual(
    find: _Finder,
    stack: StreamStack,
    kind: AttentionKind,
    layers: dict[int, tuple[Tap, ...]],
    passes: int,
) -> TappedStack:
    first = Tap(layers[0][0].module, layers[0][0].call, is_input=True)
    if stack.embeddings:
        (module,) = find.modules(stack.embeddings) or (None,)
        if module is None:
            raise _misfit(stack.embeddings)
        first = Tap(module)
    behind = find.modules(stack.behind) if stack.behind else []
    if behind:
        layers = {**layers, 0: (Tap(behind[0]),)}
    rest = _stack(Component.RESIDUAL, kind, layers, passes)
    return TappedStack(Component.RESIDUAL, kind, (TapRow(EMBEDDINGS, (first,)), *rest.rows))


def _attention(
    modules: Sequence[AttentionModule], kind: AttentionKind, passes: int
) -> list[TappedStack]:
    """What attention adds, and what each head hands to it."""
    outputs = {
        layer: (Tap(one.output, call),) for one in modules for call, layer in enumerate(one.layers)
    }
    heads = {layer: one.heads for one in modules for layer in one.layers}
    added = _stack(Component.ATTENTION, kind, outputs, passes)
    rows = []
    for number, row in enumerate(added.rows):
        (tap,) = row.taps
        layer = min(number, len(outputs) - 1)
        count = heads[layer]
        into = (Tap(tap.module, tap.call, is_input=True),)
        rows += [TapRow(f"{row.name}.{head}", into, head, count) for head in range(count)]
    return [added, TappedStack(Component.HEAD, kind, tuple(rows))]


def _entered(found: Mapping[int, tuple[Tap, ...]]) -> dict[int, tuple[Tap, ...]]:
    """What goes into linear modules; no layer whose modules are others."""
    import torch
    from transformers.pytorch_utils import Conv1D

    return {
        layer: tuple(replace(tap, is_input=True) for tap in taps)
        for layer, taps in found.items()
        if all(isinstance(tap.module, torch.nn.Linear | Conv1D) for tap in taps)
    }


def _of_all(
    layers: Mapping[int, Any], found: dict[int, tuple[Tap, ...]], path: str
) -> dict[int, tuple[Tap, ...]]:
    if sorted(found) != sorted(layers):
        raise _misfit(path)
    return found


def _stack(
    component: Component, kind: AttentionKind, layers: Mapping[int, tuple[Tap, ...]], passes: int
) -> TappedStack:
    """Rows by their layers; a decoder's passes in the place of the last layer's first call."""
    every = [(str(layer), layers[layer]) for layer in sorted(layers)]
    if passes:
        _, last = every.pop()
        for step in range(1, passes + 1):
            again = tuple(replace(tap, call=tap.call + step) for tap in last)
            every.append((f"decoder {step}", again))
    return TappedStack(component, kind, tuple(TapRow(name, taps) for name, taps in every))


def _misfit(path: str) -> Unavailable:
    return Unavailable(
        N_(
            "This model's states can't be put back: its plugin looks for {path}, one for "
            "each layer."
        ),
        path=path,
    )
