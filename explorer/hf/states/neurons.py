"""Neurons and heads of a loaded model, by hooks on the linear modules that they feed."""

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from explorer.api.family import (
    AttentionModules,
    Component,
    Context,
    Encoded,
    LoadedModel,
    Neurons,
    Query,
    Role,
    Unavailable,
    UnitKind,
    UserMistake,
    Weights,
)
from explorer.hf.attention.ports import DescribedAttention
from explorer.hf.predict.masked import with_pieces
from explorer.hf.predict.passes.batching import in_batches
from explorer.hf.states.patching import Calls
from explorer.hf.states.rows import StateRows
from explorer.hf.states.streams import StreamStack
from explorer.hf.states.taps import Tap, Tapped, find_taps
from explorer.text import N_


@dataclass(frozen=True)
class UnitPlace:
    """Units that feed one call of a linear module.

    Attributes:
        module: The linear module.
        call: Which of its calls in a run.
        calls: How many a run makes, where layers share the module; 1 where all its calls are of
            one layer (DeBERTa's mask decoder calls the last one again).
        count: Units in its input, each as wide as the others.
        width: Of one unit in the input.
        part: Of neurons: what their layer's feed-forward part gives, which the module is to give;
            None where the family does not say.
    """

    module: Any
    call: int
    calls: int
    count: int
    width: int
    part: Tap | None = None

    @property
    def tap(self) -> Tap:
        """What goes into that call."""
        return Tap(self.module, self.call, is_input=True)

    def columns(self, number: int) -> slice:
        """Of one unit in the input."""
        return slice(number * self.width, (number + 1) * self.width)


Layers = Sequence[tuple[UnitPlace, ...]]
"""Of each layer the places of its units, one after the other."""


class HookedNeurons:
    """As `explorer.api.Neurons`.

    Args:
        model: Whose.
        rows: Runs the stack that reads.
        places: Of each layer, by kind.
    """

    def __init__(
        self, model: LoadedModel, rows: StateRows, places: Mapping[UnitKind, Layers]
    ) -> None:
        self._model, self._rows = model, rows
        self.places = places
        self.sizes = {
            kind: tuple(sum(one.count for one in layer) for layer in layers)
            for kind, layers in places.items()
        }

    def activations(
        self, texts: Sequence[Encoded], kind: UnitKind, layer: int, context: Context
    ) -> list[Any]:
        """As `explorer.api.Neurons.activations`."""
        import torch

        places = self.places[kind][layer]

        def of(place: UnitPlace, states: Any) -> Any:
            if kind is UnitKind.NEURON:
                return states.float()
            shares = (_through(place, states, number) for number in range(place.count))
            return torch.stack([one.float().norm(dim=-1) for one in shares], dim=-1)

        return self._run(texts, places, of, context)

    def added(self, encoded: Encoded, layer: int, head: int, context: Context) -> Any:
        """As `explorer.api.Neurons.added`."""
        place, number = self._place(UnitKind.HEAD, layer, head)

        def of(_place: UnitPlace, states: Any) -> Any:
            return _through(place, states, number).float()

        (found,) = self._run([encoded], (place,), of, context)
        return found

    def written(self, layer: int, neuron: int) -> Any:
        """As `explorer.api.Neurons.written`."""
        import torch

        place, number = self._place(UnitKind.NEURON, layer, neuron)
        with torch.inference_mode():
            one = torch.ones(
                (1, place.count), dtype=getattr(torch, self._model.dtype), device=self._model.device
            )
            return _through(place, one, number)[0].float().clone()

    def read(self, layer: int, neuron: int) -> Any:
        """As `explorer.api.Neurons.read`."""
        import torch

        place, number = self._place(UnitKind.NEURON, layer, neuron)
        first = self._first(place)
        if first is None:
            return None
        weight = first.weight if isinstance(first, torch.nn.Linear) else first.weight.T
        return weight[number].detach().float().clone() if len(weight) == place.count else None

    @contextmanager
    def scaled(self, kind: UnitKind, layer: int, number: int, factor: float) -> Iterator[None]:
        """As `explorer.api.Neurons.scaled`."""
        place, own = self._place(kind, layer, number)
        calls = itertools.count()

        def change(_module: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
            if next(calls) % place.calls != place.call % place.calls:
                return None
            states = inputs[0].clone()
            states[..., place.columns(own)] *= factor
            return (states, *inputs[1:])

        handle = place.module.register_forward_pre_hook(change)
        try:
            yield
        finally:
            handle.remove()

    def only(self, kinds: Collection[UnitKind]) -> "HookedNeurons | None":
        """The same with the units of some kinds; None where there are none."""
        left = {kind: layers for kind, layers in self.places.items() if kind in kinds}
        return HookedNeurons(self._model, self._rows, left) if left else None

    def _place(self, kind: UnitKind, layer: int, number: int) -> tuple[UnitPlace, int]:
        """Where a unit is, and its number there.

        Raises:
            UserMistake: There is no such unit.
        """
        sizes = self.sizes.get(kind, ())
        if not (0 <= layer < len(sizes) and 0 <= number < sizes[layer]):
            raise UserMistake(
                N_("There is no neuron or head {number} in layer {layer} of this model."),
                N_("Choose one that is there."),
                number=number,
                layer=layer,
            )
        for place in self.places[kind][layer]:
            if number < place.count:
                break
            number -= place.count
        return place, number

    def _run(
        self,
        texts: Sequence[Encoded],
        places: Sequence[UnitPlace],
        of: Callable[[UnitPlace, Any], Any],
        context: Context,
    ) -> list[Any]:
        """What is made of what goes into some places, at every token of many texts."""
        import torch

        by_tap = {one.tap: one for one in places}

        def run(batch: Sequence[Query]) -> Sequence[Any]:
            found: dict[Tap, Any] = {}

            def keep(tap: Tap, states: Any) -> None:
                if states.dim() == 2:  # the tokens of all texts in one row of rows
                    states = states.unflatten(0, (len(batch), -1))
                if len(states) != len(batch):
                    raise Unavailable(TOKENS_FIRST)
                found[tap] = of(by_tap[tap], states)

            with Calls(set(by_tap)).hooked(keep):
                self._rows(**with_pieces(batch, None))
            return list(torch.cat([found[tap] for tap in by_tap], dim=-1).clone())

        return in_batches(
            self._model,
            [Query(one, ()) for one in texts],
            lambda query: (len(query.encoded.tokens), tuple(query.encoded.inputs)),
            run,
            context,
        )

    def _first(self, place: UnitPlace) -> Any:
        """The one matrix that a part's neurons are made by; None for none or several."""
        weights: Weights | None = self._model.ports.get(Weights)
        if weights is None:
            return None
        linear = {
            name: one
            for name, one in self._model.module.named_modules()
            if _inputs(one) is not None
        }
        path = next(name for name, one in linear.items() if one is place.module)
        last = path
        while path:
            path = path.rpartition(".")[0]
            inside = [
                name
                for name in linear
                if name.startswith(f"{path}." if path else "")
                and weights.role_of(f"{name}.weight") is Role.FEED_FORWARD_IN
            ]
            if inside:
                # A part's own modules, not those of networks that lie in the same layer.
                first = min(inside, key=lambda name: name.count("."))
                above = first.rpartition(".")[0]
                others = {
                    name
                    for name in linear
                    if name.rpartition(".")[0] == above and name not in (first, last)
                }
                gated = any(_shape(linear[name]) == _shape(linear[first]) for name in others)
                return None if gated else linear[first]
        return None


def neuron_ports(model: LoadedModel, stack: StreamStack, rows: StateRows) -> dict[type, Any]:
    """The port that tells a layer's neurons and heads apart; none, and why, where there are none.

    Args:
        model: Whose.
        stack: The stream that the stack that reads has.
        rows: Runs it.
    """
    found: DescribedAttention | None = model.ports.get(AttentionModules)
    attentions, shared = (found.modules(), found.layout.shared) if found else ((), None)
    try:
        tapped = find_taps(model.module, (stack,), attentions, shared)
    except Unavailable as error:
        model.refused = {**model.refused, Neurons: error.message}
        return {}
    places: dict[UnitKind, Layers] = {}
    if tapped.neurons:
        places[UnitKind.NEURON] = _neurons(tapped)
    own = [one for one in attentions if one.kind is tapped.stacks[0].kind]
    if own:
        heads = {
            layer: UnitPlace(one.output, call, len(one.layers), one.heads, one.width)
            for one in own
            for call, layer in enumerate(one.layers)
        }
        places[UnitKind.HEAD] = [(heads[layer],) for layer in sorted(heads)]
    if not places:
        model.refused = {**model.refused, Neurons: NOWHERE}
        return {}
    return {Neurons: HookedNeurons(model, rows, places)}


def _neurons(tapped: Tapped) -> Layers:
    """Of each layer the places of its neurons."""
    rows = [row.taps for row in tapped.neurons[0].rows]
    modules = [tap.module for taps in rows for tap in taps]
    parts = [one for one in tapped.stacks if one.component is Component.FEED_FORWARD]
    given = [row.taps for row in parts[0].rows] if parts else [(None,) * len(taps) for taps in rows]
    return [
        tuple(
            UnitPlace(
                tap.module, tap.call, modules.count(tap.module), _inputs(tap.module) or 0, 1, part
            )
            for tap, part in zip(taps, whole, strict=True)
        )
        for taps, whole in zip(rows, given, strict=True)
    ]


TOKENS_FIRST = N_(
    "This model's layers hold a text's first tokens of all texts together, so that its neurons "
    "can't be followed text by text."
)
NOWHERE = N_("Neither this model's neurons nor its heads can be told apart.")


def _inputs(module: Any) -> int | None:
    """How many numbers a linear module reads; None for what is no linear module."""
    size = getattr(module, "in_features", getattr(module, "nx", None))
    return None if size is None or not hasattr(module, "weight") else int(size)


def _shape(module: Any) -> tuple[int, ...]:
    return tuple(module.weight.shape)


def _through(place: UnitPlace, states: Any, number: int) -> Any:
    """What a linear module makes of one unit's share of its input, without its bias."""
    import torch

    alone = torch.zeros_like(states)
    columns = place.columns(number)
    alone[..., columns] = states[..., columns]
    # Not by calling the module: a hook that asks this counts its calls.
    forward = place.module.forward
    return forward(alone) - forward(torch.zeros_like(states[..., :1, :]))
