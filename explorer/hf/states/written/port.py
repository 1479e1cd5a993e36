"""What wrote a prediction: contributions to the stream, each times the gradient of what is read.

One run: what attention, the feed-forward parts and the embeddings give is cut off from what it was
made of, norms and the head's activation are held (`linear`), so that the difference of two logits
is linear in what was cut and in the biases on the way. Each one's gradient times itself is then its
part, whatever the family: norms before or behind the sublayers, projections, bottlenecks.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Component,
    Context,
    HeadTokens,
    LoadedModel,
    LogitPart,
    LogitSum,
    PartNeurons,
    Query,
    StatePlace,
    Unavailable,
    WrittenBy,
)
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.weights import eager_attention
from explorer.hf.states.patching import HookedPatching, HookedRuns
from explorer.hf.states.taps import Tap, Tapped, TapRow
from explorer.hf.states.written.linear import doubled
from explorer.hf.states.written.run import LinearRun, linear_run, times
from explorer.text import N_
from explorer.text.formatting.numbers import significant

CLOSE = 1e-4
"""How far the parts' sum may be from the difference, against the largest part where that is large:
single precision leaves about 1e-6."""
PUT_BACK = {
    WrittenBy.EMBEDDINGS: Component.RESIDUAL,
    WrittenBy.HEAD: Component.HEAD,
    WrittenBy.ATTENTION: Component.ATTENTION,
    WrittenBy.FEED_FORWARD: Component.FEED_FORWARD,
}
"""What is put back, or taken out, of each part that has states."""
NO_PARTS = N_(
    "Of this model it is not known what each layer's attention and feed-forward part add."
)


class HookedLogitParts:
    """As `explorer.api.LogitParts`.

    Args:
        model: Whose.
        patching: Where its states are, and how it is run, as its family says.

    Raises:
        Unavailable: What each layer adds is not known.
    """

    def __init__(self, model: LoadedModel, patching: HookedPatching) -> None:
        self._model, self._first = model, patching
        _check(patching.tapped)

    @property
    def _patching(self) -> HookedPatching:
        """What was proved of where its states are, which may be less than what was said."""
        found: HookedPatching = self._model.ports.get(ActivationPatching, self._first)
        _check(found.tapped)
        return found

    @property
    def _tapped(self) -> Tapped:
        return self._patching.tapped

    def split(self, query: Query, words: tuple[int, int], context: Context) -> LogitSum:
        """As `explorer.api.LogitParts.split`."""
        run = self._run(query, words, context)
        parts = [*self._parts(run)]
        found = LogitSum(run.difference, tuple(parts))
        largest = max((abs(one.value) for one in parts), default=0.0)
        # What is no number is not close either.
        if not abs(found.missing) <= CLOSE * max(1.0, largest):
            raise Unavailable(
                N_(
                    "What this model's layers add does not sum up to its logits: {missing} nats "
                    "are missing, so no parts are shown."
                ),
                missing=significant(abs(found.missing), 2),
            )
        return found

    def tokens(
        self, query: Query, words: tuple[int, int], kind: str, row: str, context: Context
    ) -> HeadTokens:
        """As `explorer.api.LogitParts.tokens`."""
        modules = self._model.port(AttentionModules)
        layer, _dot, head = row.rpartition(".")
        at = self._row(Component.HEAD, kind, row)
        passed = int(layer.rpartition(" ")[2]) if layer.startswith("decoder") else 0
        (tap,) = at.taps
        (one,) = [one for one in modules.modules() if one.output is tap.module]
        number = one.layers[tap.call] if tap.call < len(one.layers) else one.layers[-1]
        with eager_attention(self._model.module), modules.captured((number,)) as kept:
            run = self._run(query, words, context)
        own = [one for one in kept if one.kind == kind and one.layer == number][passed]
        (place,) = run.places
        slope = _entering(tap, at.heads, run)[0][0, place, int(head)]
        weights = own.shares()[int(head), place].detach()
        values = weights * (own.values[int(head)].detach() @ slope.float())
        expected = _of_heads(tap, at.heads, run)[int(head)]
        if not abs(float(doubled(values).sum()) - expected) <= CLOSE * max(1.0, abs(expected)):
            raise Unavailable(N_("What this head brought can't be told apart by tokens."))
        keys = AttentionKind.ENCODER if kind == AttentionKind.CROSS else kind
        tokens = self._patching.prepared(query).tokens[keys]
        return HeadTokens(tuple(tokens)[: len(values)], weights, values)

    def neurons(
        self, query: Query, words: tuple[int, int], kind: str, row: str, context: Context
    ) -> PartNeurons:
        """As `explorer.api.LogitParts.neurons`."""
        import torch

        run = self._run(query, words, context)
        added = self._row(Component.FEED_FORWARD, kind, row)
        entered = self._row(Component.NEURON, kind, row)
        activations, values, sizes, bias = [], [], [], 0.0
        for tap, out in zip(entered.taps, added.taps, strict=True):
            slope = run.slopes[out]
            back, gave = _back(tap.module, run.entered[tap], slope)
            own = (doubled(back) * doubled(run.entered[tap])).sum((0, 1))
            bias += times(slope, gave) - float(own.sum())
            activations.append(run.entered[tap][0, list(run.places)].sum(0).float())
            values.append(own.float())
            sizes.append(len(own))
        expected = run.part(added.taps)
        whole = sum(float(doubled(one).sum()) for one in values) + bias
        if not abs(whole - expected) <= CLOSE * max(1.0, abs(expected)):
            raise Unavailable(
                N_("What this feed-forward part adds can't be told apart by neurons.")
            )
        return PartNeurons(torch.cat(activations), torch.cat(values), tuple(sizes), bias)

    def without(
        self,
        query: Query,
        words: tuple[int, int],
        parts: Sequence[LogitPart],
        context: Context,
    ) -> list[float]:
        """As `explorer.api.LogitParts.without`."""
        places = self._run(query, words, context).places
        prepared = self._patching.prepared(query)
        runs = HookedRuns(self._model, self._tapped, prepared, None, context)
        patches = []
        for one in parts:
            component = PUT_BACK[one.by]
            (stack,) = [
                stack
                for stack in self._tapped.stacks
                if (stack.component, stack.kind) == (component, one.kind)
            ]
            number = [row.name for row in stack.rows].index(one.row)
            patches.append((StatePlace(component, one.kind, number, places),))
        rows = doubled(runs.log_probabilities(patches))
        return [float(one) for one in rows[:, words[0]] - rows[:, words[1]]]

    def _run(self, query: Query, words: tuple[int, int], context: Context) -> LinearRun:
        patching = self._patching
        prepared = patching.prepared(query)
        return linear_run(self._model, patching.tapped, prepared, words, context)

    def _row(self, component: Component, kind: str, name: str) -> TapRow:
        for stack in (*self._tapped.stacks, *self._tapped.neurons):
            if stack.component is component and stack.kind == kind:
                for row in stack.rows:
                    if row.name == name:
                        return row
        raise Unavailable(N_("This model has no such part that could be opened."))

    def _parts(self, run: LinearRun) -> Iterator[LogitPart]:
        """Of a run, in its order; what is not on the way to the prediction is left out."""
        stacks = self._tapped.stacks
        heads: dict[tuple[str, str], list[TapRow]] = {}
        for stack in stacks:
            if stack.component is Component.HEAD:
                for row in stack.rows:
                    layer = row.name.rpartition(".")[0]
                    heads.setdefault((stack.kind, layer), []).append(row)
        biases = []
        for tap, by, kind, row in self._in_order(run):
            if by is not WrittenBy.ATTENTION or (kind, row.name) not in heads:
                yield LogitPart(by, kind, row.name, run.part(row.taps))
                continue
            own = heads[kind, row.name]
            values = _of_heads(own[0].taps[0], len(own), run)
            for one, value in zip(own, values, strict=True):
                yield LogitPart(WrittenBy.HEAD, kind, one.name, value)
            bias = run.part(row.taps) - sum(values)
            if getattr(tap.module, "bias", None) is not None:
                biases.append(LogitPart(WrittenBy.ATTENTION_BIAS, kind, row.name, bias))
        mixed = [run.part((tap,)) for tap in run.mixed if tap in run.slopes]
        yield from (LogitPart(WrittenBy.CONVOLUTION, "", "", one) for one in mixed)
        yield from (LogitPart(WrittenBy.POSITIONS, "", "", one) for one in run.later)
        yield from biases
        yield from (LogitPart(by, "", name, value) for name, by, value in run.biases)

    def _in_order(self, run: LinearRun) -> Iterator[tuple[Tap, WrittenBy, str, TapRow]]:
        """What was cut, by when it ran, with the row that it is of."""
        named = {
            Component.RESIDUAL: WrittenBy.EMBEDDINGS,
            Component.ATTENTION: WrittenBy.ATTENTION,
            Component.FEED_FORWARD: WrittenBy.FEED_FORWARD,
        }
        places = {
            row.taps[0]: (named[stack.component], stack.kind.value, row)
            for stack in self._tapped.stacks
            if stack.component in named
            for row in stack.rows
        }
        for tap in run.given:
            if tap in places and any(one in run.slopes for one in places[tap][2].taps):
                yield (tap, *places[tap])


def _check(tapped: Tapped) -> None:
    """Refuse a model some of whose layers' parts are not known.

    Raises:
        Unavailable: Some are not.
    """
    there = {(one.component, one.kind) for one in tapped.stacks}
    for component, kind in there:
        parts = {(Component.ATTENTION, kind), (Component.FEED_FORWARD, kind)}
        if component is Component.RESIDUAL and not parts <= there:
            raise Unavailable(NO_PARTS)


def _of_heads(tap: Tap, heads: int, run: LinearRun) -> list[float]:
    """What each head of a layer adds, without their projection's bias."""
    slope, given = _entering(tap, heads, run)
    found: list[float] = (doubled(slope) * doubled(given)).sum((0, 1, 3)).tolist()
    return found


def _entering(tap: Tap, heads: int, run: LinearRun) -> tuple[Any, Any]:
    """The gradient where heads enter their projection, and what enters: ... x heads x width."""
    given = run.entered[tap]
    slope, _gave = _back(tap.module, given, run.slopes[Tap(tap.module, tap.call)])
    return slope.unflatten(-1, (heads, -1)), given.unflatten(-1, (heads, -1))


def _back(module: Any, given: Any, slope: Any) -> tuple[Any, Any]:
    """A gradient through a linear module, and what it gives."""
    import torch

    with torch.enable_grad():
        entering = given.detach().requires_grad_()
        leaving = module.forward(entering)
        (back,) = torch.autograd.grad(leaving, entering, slope)
    return back, leaving.detach()
