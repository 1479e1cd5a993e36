"""Runs of a model with some states of another run in their place.

The states are put back by hooks, many patches in one batch. Layers below the first patched state
do not run again: they give what they gave in the run without patches.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import (
    Component,
    Context,
    LoadedModel,
    Patch,
    PatchStack,
    Query,
    Token,
    Unavailable,
    UserMistake,
)
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.passes.batching import Batches
from explorer.hf.predict.traced import followed_back, why_no_gradients
from explorer.hf.states.taps import Tap, Tapped
from explorer.text import N_


@dataclass(frozen=True)
class PreparedRun:
    """A query as the model is run on it.

    Attributes:
        inputs: Keyword arguments, each 1 x tokens.
        tokens: By kind of stack.
        read: From a batch of such inputs to log-probabilities at the asked position (batch x
            vocabulary).
        states: From a batch of such inputs to what the head is given there (batch x width).
        head: From that to logits (batch x vocabulary); None for a model without a head.
        place: Of the token whose states the head is given, in its stack.
        kind: Of that stack; None for the only one.
    """

    inputs: dict[str, Any]
    tokens: Mapping[str, tuple[Token, ...]]
    read: Callable[[dict[str, Any]], Any]
    states: Callable[[dict[str, Any]], Any]
    head: Callable[[Any], Any] | None
    place: int
    kind: AttentionKind | None = None


@dataclass(frozen=True)
class _Target:
    """Where in a batch states are put back: pairs of a row and a position, in one head or all."""

    rows: list[int]
    positions: list[int]
    head: int | None
    heads: int

    def put(self, changed: Any, source: Any) -> None:
        if self.head is None:
            changed[self.rows, self.positions] = source[0, self.positions]
            return
        shape = (self.heads, -1)
        own = source.unflatten(-1, shape)[0, self.positions, self.head]
        changed.unflatten(-1, shape)[self.rows, self.positions, self.head] = own


class HookedPatching:
    """As `explorer.api.ActivationPatching`.

    Args:
        model: Whose.
        tapped: Where its states are.
        prepare: How it is run.
        why: Why other components than there are can't be put back; "" where nobody knows.
    """

    def __init__(
        self,
        model: LoadedModel,
        tapped: Tapped,
        prepare: Callable[[Query], PreparedRun],
        why: str = "",
    ) -> None:
        self._model, self._tapped, self._prepare = model, tapped, prepare
        self.why = why

    def stacks(self) -> tuple[PatchStack, ...]:
        """As `explorer.api.ActivationPatching.stacks`."""
        return tuple(one.told() for one in self._tapped.stacks)

    @property
    def tapped(self) -> Tapped:
        """Where its states are."""
        return self._tapped

    def only(self, component: Component, why: str) -> "HookedPatching":
        """The same with the states of one component, and why there are no others."""
        stacks = tuple(one for one in self._tapped.stacks if one.component is component)
        tapped = replace(self._tapped, stacks=stacks)
        return HookedPatching(self._model, tapped, self._prepare, why)

    def prepared(self, query: Query) -> PreparedRun:
        """A query as the model is run on it."""
        return self._prepare(query)

    def between(self, into: Query, source: Query, context: Context) -> "HookedRuns":
        """As `explorer.api.ActivationPatching.between`."""
        lengths = len(into.encoded.tokens), len(source.encoded.tokens)
        if lengths[0] != lengths[1]:
            raise UserMistake(
                N_("One text is {first} tokens long, the other {second}."),
                N_("States can only be put back between texts of the same number of tokens."),
                first=lengths[0],
                second=lengths[1],
            )
        pair = self._prepare(into), self._prepare(source)
        return HookedRuns(self._model, self._tapped, *pair, context)


class HookedRuns:
    """As `explorer.api.PatchedRuns`.

    Args:
        model: Whose.
        tapped: Where its states are.
        into: The run that states are put into.
        source: The run whose states they are; None for states of zeros.
        context: Can stop every run.
    """

    def __init__(
        self,
        model: LoadedModel,
        tapped: Tapped,
        into: PreparedRun,
        source: PreparedRun | None,
        context: Context,
    ) -> None:
        self._model, self._tapped, self._prepared = model, tapped, into
        self._context = context
        self._taps = {tap for stack in tapped.stacks for row in stack.rows for tap in row.taps}
        self._own = self._record(into)
        self._given = self._own.zeroed() if source is None else self._record(source)
        self.source = self._given.read
        self.into = self._own.read

    def tokens(self, kind: str) -> tuple[Token, ...]:
        """As `explorer.api.PatchedRuns.tokens`."""
        return self._prepared.tokens[kind]

    def states(self, component: Component, kind: str) -> list[Any]:
        """The states of a stack in the run without patches, a tensor (tokens x width) a row."""
        every = [
            one for one in self._tapped.stacks if (one.component, one.kind) == (component, kind)
        ]
        return [sum(self._own.states[tap][0] for tap in r.taps) for one in every for r in one.rows]

    def log_probabilities(self, patches: Sequence[Patch]) -> Any:
        """As `explorer.api.PatchedRuns.log_probabilities`."""
        import torch

        length = max(value.shape[1] for value in self._prepared.inputs.values())
        batches = Batches(self._model, length, len(patches))
        found: dict[int, Any] = {}
        with torch.inference_mode(), cancellable(self._context):
            for start, stop in batches.over(len(patches)):
                self._context.check()
                with batches.measured(stop - start):
                    found[start] = self._run(patches[start:stop])
        return torch.cat([found[start] for start in sorted(found)])

    def first_order(self, measure: Callable[[Any], Any]) -> Mapping[tuple[Component, str], Any]:
        """As `explorer.api.PatchedRuns.first_order`."""
        import torch

        stamp = self._model.stamp
        if (stamp.is_offloaded or stamp.is_quantised) and (why := why_no_gradients(stamp)):
            raise Unavailable(why)
        added: dict[Tap, Any] = {}

        def add(tap: Tap, states: Any) -> Any:
            added[tap] = torch.zeros_like(states, requires_grad=True)
            return states + added[tap]

        inputs = {name: value.clone() for name, value in self._prepared.inputs.items()}
        no_gradients = N_("This model gives no gradients, so nothing can be said to first order.")
        with (
            followed_back(no_gradients),
            torch.enable_grad(),
            cancellable(self._context),
            Calls(self._taps).hooked(add),
        ):
            value = measure(self._prepared.read(inputs)[0])
            slopes = torch.autograd.grad(value, list(added.values()), allow_unused=True)
        moved = {
            tap: torch.zeros_like(self._own.states[tap])
            if slope is None
            else slope.float() * (self._given.states[tap] - self._own.states[tap])
            for tap, slope in zip(added, slopes, strict=True)
        }
        found = {}
        for stack in self._tapped.stacks:
            rows = []
            for row in stack.rows:
                parts = [moved[tap][0] for tap in row.taps]
                if row.head is not None:
                    parts = [one.unflatten(-1, (row.heads, -1))[:, row.head] for one in parts]
                rows.append(sum(one.sum(-1) for one in parts))
            found[stack.component, stack.kind.value] = torch.stack(rows).float()
        return found

    def _run(self, patches: Sequence[Patch]) -> Any:
        """One batch, a row for each patch."""
        targets = self._targets(patches)
        first = min((self._own.begins[tap] for tap in targets), default=self._own.ended)
        below = {
            key: given for key, given in self._own.whole.items() if self._own.ends[key] < first
        }
        inputs = {
            name: value.expand(len(patches), *value.shape[1:]).contiguous()
            for name, value in self._prepared.inputs.items()
        }

        def put(tap: Tap, states: Any) -> Any:
            if tap not in targets:
                return None
            changed, source = states.clone(), self._given.states[tap].to(states.dtype)
            for target in targets[tap]:
                target.put(changed, source)
            return changed

        calls = Calls(self._taps, self._tapped.dear)
        with calls.known(below, self._own.counts, len(patches)), calls.hooked(put):
            return self._prepared.read(inputs)

    def _targets(self, patches: Sequence[Patch]) -> dict[Tap, list[_Target]]:
        """What is put back where, by the call that gives it."""
        places: defaultdict[tuple[Tap, int | None, int], list[tuple[int, int]]] = defaultdict(list)
        for number, patch in enumerate(patches):
            for place in patch:
                row = self._tapped.row(place.component, place.kind, place.row)
                if not self._taps.issuperset(row.taps):
                    raise Unavailable(N_("This model has no such states to put back."))
                positions = place.positions
                if positions is None:
                    positions = tuple(range(len(self.tokens(place.kind))))
                for tap in row.taps:
                    key = tap, row.head, row.heads
                    places[key] += [(number, position) for position in positions]
        found: defaultdict[Tap, list[_Target]] = defaultdict(list)
        for (tap, head, heads), pairs in places.items():
            rows, positions = zip(*pairs, strict=True) if pairs else ((), ())
            found[tap].append(_Target(list(rows), list(positions), head, heads))
        return dict(found)

    def _record(self, prepared: PreparedRun) -> "_Recorded":
        """Run an input once and keep its states."""
        import torch

        recorded = _Recorded()
        calls = Calls(self._taps, self._tapped.dear)

        def keep(tap: Tap, states: Any) -> None:
            recorded.states[tap] = states.detach().clone()
            recorded.begins[tap] = recorded.tick()

        def end(key: tuple[Any, int], output: Any) -> None:
            recorded.whole[key] = output
            recorded.ends[key] = recorded.tick()
            recorded.counts[key] = dict(calls.counts)

        with (
            torch.inference_mode(),
            cancellable(self._context),
            calls.hooked(keep, end),
        ):
            recorded.read = prepared.read(dict(prepared.inputs))[0]
        missing = self._taps - recorded.states.keys()
        if missing:
            raise Unavailable(N_("Some of this model's layers take no part in its predictions."))
        recorded.ended = recorded.tick()
        return recorded


class _Recorded:
    """One run.

    Attributes:
        states: What each tap gave.
        begins: When.
        whole: All that a call of a dear module gave.
        ends: When.
        counts: How often every module had been called then.
        ended: When the run was over.
        read: Log-probabilities at the asked position.
    """

    def __init__(self) -> None:
        self.states: dict[Tap, Any] = {}
        self.begins: dict[Tap, int] = {}
        self.whole: dict[tuple[Any, int], Any] = {}
        self.ends: dict[tuple[Any, int], int] = {}
        self.counts: dict[tuple[Any, int], dict[Any, int]] = {}
        self.ended = 0
        self.read: Any = None
        self._now = 0

    def zeroed(self) -> "_Recorded":
        """The same with states of zeros."""
        other = _Recorded()
        other.states = {tap: states * 0 for tap, states in self.states.items()}
        other.read = self.read
        return other

    def tick(self) -> int:
        self._now += 1
        return self._now


Change = Callable[[Tap, Any], Any]
"""From a tap and its states to other states; None leaves them."""


class Calls:
    """Sees the calls of a model's modules while it runs, each by its number.

    Args:
        taps: What is of interest.
        dear: Modules whose outputs may be known.

    Attributes:
        counts: How often each module has been called.
    """

    def __init__(self, taps: set[Tap], dear: Sequence[Any] = ()) -> None:
        self._taps, self._dear = taps, tuple(dear)
        self._lead: tuple[int, int] | None = None
        self.counts: dict[Any, int] = {}

    @contextmanager
    def hooked(
        self, change: Change, end: Callable[[tuple[Any, int], Any], None] | None = None
    ) -> Iterator[None]:
        """Show states to a function and take what it gives in their place, inside the block.

        Args:
            change: Given every tap and its states.
            end: Given every call of a dear module and all that it gave.
        """
        entered = {tap.module for tap in self._taps if tap.is_input}
        left = {tap.module for tap in self._taps if not tap.is_input}

        def enter(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            call = self.counts[module] = self.counts.get(module, -1) + 1
            tap = Tap(module, call, is_input=True)
            if module not in entered or tap not in self._taps:
                return None
            changed = self._changed(change, tap, args[0] if args else kwargs["hidden_states"])
            if changed is None:
                return None
            if args:
                return (changed, *args[1:]), kwargs
            return args, {**kwargs, "hidden_states": changed}

        def leave(module: Any, _args: Any, output: Any) -> Any:
            tap = Tap(module, self.counts[module])
            changed = None
            if module in left and tap in self._taps:
                changed = self._changed(change, tap, _first(output))
            if end is not None and module in self._dear:
                end((module, tap.call), output)
            return None if changed is None else _with_first(output, changed)

        handles: list[Any] = []
        try:
            for module in {*entered, *left, *self._dear}:
                handles.append(module.register_forward_pre_hook(enter, with_kwargs=True))
                handles.append(module.register_forward_hook(leave))
            yield
        finally:
            for handle in handles:
                handle.remove()

    def _changed(self, change: Change, tap: Tap, states: Any) -> Any:
        """What takes the place of states; a layer may have its texts one behind the other (OPT).

        Their number and length are those of the states that came before.
        """
        if states.dim() == 3:
            self._lead = (int(states.shape[0]), int(states.shape[1]))
        lead = self._lead
        if states.dim() != 2 or lead is None or len(states) != lead[0] * lead[1]:
            return change(tap, states)
        changed = change(tap, states.unflatten(0, lead))
        return None if changed is None else changed.flatten(0, 1)

    @contextmanager
    def known(
        self,
        below: Mapping[tuple[Any, int], Any],
        counts: Mapping[tuple[Any, int], Mapping[Any, int]],
        rows: int,
    ) -> Iterator[None]:
        """Let some calls of dear modules give what they gave before, inside the block.

        Args:
            below: What they gave for one row, by module and call.
            counts: How often each module had been called when they were over.
            rows: Of the batch.
        """
        own = {module: vars(module).get("forward") for module, _call in below}

        def forward_of(module: Any) -> Callable[..., Any]:
            plain = module.forward

            def forward(*args: Any, **kwargs: Any) -> Any:
                key = module, self.counts[module]
                if key not in below:
                    return plain(*args, **kwargs)
                self.counts.update(counts[key])
                return _repeated(below[key], rows)

            return forward

        try:
            for module in own:
                module.forward = forward_of(module)
            yield
        finally:
            for module, before in own.items():
                if before is None:
                    del module.forward
                else:
                    module.forward = before


def _first(output: Any) -> Any:
    return output[0] if isinstance(output, tuple | list) else output


def _with_first(output: Any, states: Any) -> Any:
    if isinstance(output, tuple | list):
        return type(output)((states, *output[1:]))
    return states


def _repeated(output: Any, rows: int) -> Any:
    """What a module gave for one row, for as many."""
    if isinstance(output, tuple | list):
        return type(output)(_repeated(one, rows) for one in output)
    if hasattr(output, "expand") and output.dim() and output.shape[0] == 1:
        # A layer may look at it in another shape, which one row seen many times does not allow.
        return output.expand(rows, *output.shape[1:]).contiguous()
    return output
