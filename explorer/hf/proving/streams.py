"""Claims about the residual stream: what leaves a layer, and what its two parts add."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Component,
    Context,
    Direction,
    HiddenStates,
    LogitParts,
    Neurons,
    Predictor,
    Query,
    UnitKind,
)
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.proving.claim import Margin
from explorer.hf.proving.trial import ForwardCall, ModelTrial
from explorer.hf.states.neurons import NOWHERE, HookedNeurons
from explorer.hf.states.patching import HookedPatching
from explorer.hf.states.taps import Tap, TappedStack, TapRow
from explorer.hf.states.written.linear import is_norm
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant

PARTS = {
    Component.ATTENTION: N_("attention"),
    Component.FEED_FORWARD: N_("feed-forward part"),
}


SEVERAL = N_("What its plugin says leaves row {row} is not one state per token.")


def has_one_stream(trial: ModelTrial) -> Margin | None:
    """Whether what leaves each layer is one state a token, and not several beside each other.

    Hyper-connections carry several (Zhu et al. 2025): none of them is what a page calls the stream.
    """
    port = trial.model.ports[ActivationPatching]
    if not isinstance(port, HookedPatching):
        return None
    calls = _Calls(trial)
    for stack in port.tapped.stacks:
        for row in stack.rows if stack.component is Component.RESIDUAL else ():
            for tap in row.taps:
                if calls.of(tap) is not None and calls.states(tap) is None:
                    return Margin(wrong=Phrase(SEVERAL, row=row.name))
    return Margin()


def streams_run(trial: ModelTrial) -> Margin | None:
    """What is said to leave each layer, against the states that the model tells of it.

    The last layer's may stand before a norm that the model's own states have behind them.
    """
    port = trial.model.ports[ActivationPatching]
    if not isinstance(port, HookedPatching):
        return None
    calls = _Calls(trial)
    worst, close, where = 0.0, trial.close, ""
    for stack in port.tapped.stacks:
        told = _told(trial, stack)
        if told is None:
            continue
        close = trial.close * max(1.0, float(told.abs().max()))
        for row, state in _beside(stack.rows, told):
            found = [calls.states(tap) for tap in row.taps]
            if any(one is None for one in found):
                continue
            given = sum(found)
            if given.shape != state.shape:
                return Margin(wrong=Phrase(SEVERAL, row=row.name))
            far = float((given - state).abs().max())
            if row is stack.rows[-1] and far > close:
                far = min(far, calls.behind(given, state))
            if not far <= worst:
                worst, where = far, row.name
    if worst <= close:
        return Margin(worst, close)
    wrong = Phrase(
        N_(
            "What its plugin says leaves row {row} is off by {far} from the model's own "
            "state there."
        ),
        row=where,
        far=significant(worst, 2),
    )
    return Margin(worst, close, wrong)


def parts_are_added(trial: ModelTrial) -> Margin | None:
    """What attention and the feed-forward part are said to add, against what a layer goes on with.

    Somewhere in the run there must be a sum: what was known before a part, and what the part gave,
    is what comes next. A part that nothing is the sum of adds nothing. Where both parts of a layer
    read the same, one sum has both. A norm that reads the part alone (OLMo 2, Gemma 3), or a factor
    (MiniCPM), may stand between.
    """
    port = trial.model.ports[ActivationPatching]
    if not isinstance(port, HookedPatching):
        return None
    calls = _Calls(trial)
    worst, close, wrong = 0.0, 0.0, ""
    for other, stack in _parts(port.tapped.stacks):
        for number, row in enumerate(stack.rows):
            beside = calls.of(other.rows[number].taps[0]) if other is not None else None
            behind = beside if stack.component is Component.FEED_FORWARD else None
            for tap in row.taps:
                call = calls.of(tap)
                if call is None or call.gave is None:
                    continue
                far, size = calls.sum_missed(call, behind, beside)
                bound = trial.close * max(1.0, size)
                if far > bound:
                    far = min(far, calls.changed_missed(call, behind, bound))
                if far <= bound:
                    worst, close = max(worst, far), max(close, bound)
                elif not wrong:
                    wrong = Phrase(
                        N_(
                            "What its plugin says the {part} adds in layer {layer} is added "
                            "nowhere: the nearest sum is off by {far}."
                        ),
                        part=Phrase(PARTS[stack.component]),
                        layer=row.name,
                        far=significant(far, 2),
                    )
                    worst, close = far, bound
    if not wrong:
        return Margin(worst, close)
    return Margin(worst, close, wrong, port.only(Component.RESIDUAL, wrong))


def sums_up(trial: ModelTrial) -> Margin | None:
    """What all parts add to the difference of two words' logits, against that difference."""
    model = trial.model
    predictor, port = model.ports[Predictor], model.ports[LogitParts]
    encoded = trial.encoded
    if predictor.direction is Direction.SPANS:
        return None
    place = next(iter(encoded.mask_positions), len(encoded.tokens) - 1)
    query = Query(encoded, (place,))
    (rows,) = predictor.log_probabilities([query], Context())
    first, second = rows[0].topk(2).indices.tolist()
    found = port.split(query, (first, second), Context())
    largest = max(abs(one.value) for one in found.parts)
    return Margin(abs(found.missing), trial.close * max(1.0, largest))


def neurons_feed(trial: ModelTrial) -> Margin | None:
    """What neurons are said to be, against what their layer's feed-forward part gives.

    The module that they go into must give it. Heads are those of an attention that was proved.
    """
    port = trial.model.ports[Neurons]
    if not isinstance(port, HookedNeurons):
        return None
    heads = {UnitKind.HEAD} if AttentionModules in trial.model.ports else set()
    worst, close, wrong = 0.0, trial.close, ""
    for layer, places in enumerate(port.places.get(UnitKind.NEURON, ())):
        for one in places:
            call = trial.call_of(one.tap)
            whole = trial.call_of(one.part) if one.part is not None else call
            if call is None or whole is None or call.gave is None or whole.gave is None:
                continue
            alike = call.gave.shape == whole.gave.shape
            far = float((call.gave - whole.gave).abs().max()) if alike else float("inf")
            close = max(close, trial.close * float(call.gave.abs().max()))
            if far > worst:
                worst = far
            if far > close and not wrong:
                wrong = Phrase(
                    N_(
                        "What its plugin says the neurons of layer {layer} go into gives "
                        "something else than the feed-forward part."
                    ),
                    layer=str(layer),
                )
    kinds = heads if wrong else {UnitKind.NEURON, *heads}
    if kinds >= port.places.keys():
        return Margin(worst, close)
    left = port.only(kinds)
    if left is None:
        return Margin(worst, close, wrong or NOWHERE)
    return Margin(worst, close, wrong, left)


def _told(trial: ModelTrial, stack: TappedStack) -> Any:
    """The states (rows x tokens x width) that the model tells of a stream; None for no stream."""
    import torch

    if stack.component is not Component.RESIDUAL:
        return None
    if stack.kind is AttentionKind.DECODER and getattr(
        trial.model.config, "is_encoder_decoder", False
    ):
        told = (getattr(one.output, "decoder_hidden_states", None) for one in trial.calls)
        states = next((one for one in told if one is not None), None)
        return None if states is None else torch.cat(states).float()
    return trial.rows if HiddenStates in trial.model.ports else None


def _beside(rows: Sequence[TapRow], states: Any) -> Iterator[tuple[TapRow, Any]]:
    """Rows of a stream and the states told of them; passes of a decoder have none."""
    return zip([row for row in rows if not row.name.startswith("decoder")], states, strict=False)


def _parts(
    stacks: Sequence[TappedStack],
) -> Iterator[tuple[TappedStack | None, TappedStack]]:
    """Every part that adds, and the other part of the same layers."""
    parts: dict[tuple[Component, AttentionKind], TappedStack] = {
        (one.component, one.kind): one
        for one in stacks
        if one.component in PARTS and one.kind is not AttentionKind.CROSS
    }
    for one in stacks:
        if one.component in PARTS:
            (beside,) = PARTS.keys() - {one.component}
            other = parts.get((beside, one.kind))
            yield other if other is not None and len(other.rows) == len(one.rows) else None, one


class _Calls:
    """The calls of the run, and what they make of each other."""

    def __init__(self, trial: ModelTrial) -> None:
        self._all, self.of = trial.calls, trial.call_of
        self._seen: dict[Any, _Seen] = {}

    def states(self, tap: Tap) -> Any:
        """What a tap has (tokens x width); None where it took no part."""
        call = self.of(tap)
        if call is None:
            return None
        return call.given if tap.is_input else call.gave

    def behind(self, given: Any, state: Any) -> float:
        """How far a state is from what a module made of what it was given, at least."""
        made = [
            float((one.gave - state).abs().max())
            for one in self._all
            if one.given is not None
            and one.gave is not None
            and one.given.shape == given.shape
            and one.gave.shape == state.shape
            and bool((one.given == given).all())
        ]
        return min(made, default=float("inf"))

    def sum_missed(
        self, part: ForwardCall, behind: ForwardCall | None, beside: ForwardCall | None
    ) -> tuple[float, float]:
        """How far the nearest sum with what a part gave is off, and the size of its numbers.

        Args:
            part: What is added.
            behind: The layer's attention, where it is the part behind that.
            beside: The other part of the layer.
        """
        shape = part.gave.shape
        if shape not in self._seen:
            self._seen[shape] = _Seen(self._all, shape)
        seen = self._seen[shape]
        after = seen.within(part.ended + 1)[:SOON]
        if not after:
            return float("inf"), 1.0
        size = max(float(seen.states[one].abs().max()) for one in after)
        # What was there before the part: of a part behind attention, since attention.
        before = seen.within(0 if behind is None else behind.ended, part.began)
        missed = seen.missed(after, part.gave, before)
        if beside is not None and beside.gave is not None and beside.gave.shape == shape:
            # Both parts may read the same, and be added at once.
            after = seen.within(max(part.ended, beside.ended) + 1)[:SOON]
            older = seen.within(0, min(part.began, beside.began))
            missed = min(missed, seen.missed(after, part.gave + beside.gave, older))
        return missed, size

    def changed_missed(self, part: ForwardCall, behind: ForwardCall | None, bound: float) -> float:
        """How far the nearest sum with what a norm makes of a part, or a factor, is off.

        Args:
            part: What is added.
            behind: The layer's attention, where it is the part behind that.
            bound: How far it may be off.
        """
        gave = part.gave
        for one in self._all:
            if part.ended < one.began and is_norm(one.module) and one.given is not None:
                alike = one.given.shape == gave.shape and bool((one.given == gave).all())
                if alike and one.gave is not None and one.gave.shape == gave.shape:
                    far, _size = self.sum_missed(replace(one, began=part.began), behind, None)
                    if far <= bound:
                        return far
        seen = self._seen[gave.shape]
        square = float((gave * gave).sum())
        worst = float("inf")
        before = seen.within(0 if behind is None else behind.ended, part.began)[-SOON:]
        for after in seen.within(part.ended + 1)[:SOON] if square else ():
            for older in before:
                difference = seen.states[after] - seen.states[older]
                factor = float((difference * gave).sum()) / square
                if factor:
                    worst = min(worst, float((difference - factor * gave).abs().max()))
        return worst


SOON = 12
"""States behind a part among which its sum must be."""


class _Seen:
    """All states of a shape (tokens x width) that the run came by, and when.

    Which of them make a sum is looked for by their products with one drawn vector: those of a sum
    are the sums of its parts'.
    """

    def __init__(self, calls: Sequence[ForwardCall], shape: Any) -> None:
        import torch

        found = [
            (at, state)
            for one in calls
            for at, state in ((one.began, one.given), (one.ended, one.gave))
            if state is not None and state.shape == shape
        ]
        found.sort(key=lambda one: one[0])
        self._times = [at for at, _ in found]
        self.states = [state for _, state in found]
        drawn = torch.randn(shape[-1], generator=torch.Generator().manual_seed(0))
        self._drawn = drawn.to(self.states[0].device)
        self._products = torch.stack(self.states) @ self._drawn

    def within(self, first: int, last: int | None = None) -> list[int]:
        """Numbers of the states that were there from one time to another."""
        end = len(self._times) if last is None else bisect_right(self._times, last)
        return list(range(bisect_left(self._times, first), end))

    def missed(self, sums: list[int], part: Any, others: list[int]) -> float:
        """The largest difference, in the nearest of the sums, from a part and another state."""
        if not (sums and others):
            return float("inf")
        behind = self._products[sums] - part @ self._drawn
        apart = (behind[:, None] - self._products[others][None]).abs().amax(-1)
        nearest = int(apart.argmin())
        first, second = sums[nearest // len(others)], others[nearest % len(others)]
        return float((self.states[first] - part - self.states[second]).abs().max())
