"""One run in which what was added to the stream is cut off from what it was made of."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from explorer.api.family import Component, Context, LoadedModel, Unavailable, WrittenBy
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.traced import followed_back, why_no_gradients
from explorer.hf.states.patching import Calls, PreparedRun
from explorer.hf.states.taps import Tap, Tapped
from explorer.hf.states.written.linear import doubled, is_norm, made_linear
from explorer.text import N_


@dataclass
class LinearRun:
    """One run and its gradients.

    Attributes:
        difference: Of the two logits.
        given: What each tap gave, as it was cut off, in the order of the run.
        entered: What went into heads' projections, and into neurons' matrices.
        slopes: The difference's gradient where a tap was cut; only of those that it depends on.
        mixed: Taps of what a convolution adds (DeBERTa v2).
        biases: Name, what it is of, and its part, of those that the difference depends on.
        later: What vectors of tables add behind the first layer.
    """

    difference: float = 0.0
    given: dict[Tap, Any] = field(default_factory=dict)
    entered: dict[Tap, Any] = field(default_factory=dict)
    slopes: dict[Tap, Any] = field(default_factory=dict)
    mixed: list[Tap] = field(default_factory=list)
    biases: list[tuple[str, WrittenBy, float]] = field(default_factory=list)
    later: list[float] = field(default_factory=list)

    @property
    def places(self) -> tuple[int, ...]:
        """Positions whose stream is read: one in almost every model."""
        every = (one.abs().sum(-1)[0] > 0 for one in self.slopes.values())
        read = reduce(lambda first, second: first | second, every)
        return tuple(read.nonzero()[:, 0].tolist())

    def part(self, taps: Sequence[Tap]) -> float:
        """What some taps add together."""
        return sum(times(self.slopes[tap], self.given[tap]) for tap in taps if tap in self.slopes)


def times(slope: Any, given: Any) -> float:
    """The sum of products of two tensors, in double precision."""
    return float((doubled(slope) * doubled(given)).sum())


def linear_run(
    model: LoadedModel,
    tapped: Tapped,
    prepared: PreparedRun,
    words: tuple[int, int],
    context: Context,
) -> LinearRun:
    """Run a model once, and follow the difference of two words' logits back to what wrote it.

    Args:
        model: Which.
        tapped: Where its states are.
        prepared: What it reads.
        words: Numbers of the two pieces.
        context: Can stop it.

    Raises:
        Unavailable: The model gives no gradients as it is loaded.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    if why := why_no_gradients(model.stamp):
        raise Unavailable(why)
    whole, run = model.module, LinearRun()
    cut, read, layers = _taps(tapped)
    passed: set[Tap] = set()

    def change(tap: Tap, states: Any) -> Any:
        passed.add(tap)
        if tap in read:
            run.entered[tap] = states.detach().clone()
        return _cut(run, tap, states) if tap in cut else None

    def is_over() -> bool:
        return layers <= passed

    inputs = {name: value.clone() for name, value in prepared.inputs.items()}
    no_gradients = N_("This model gives no gradients, so its parts can't be weighed.")
    with (
        followed_back(no_gradients),
        torch.enable_grad(),
        cancellable(context),
        _following(whole) as biases,
        _named(whole, biases, is_over) as named,
        _tables_cut(whole) as tables,
        _convolution_cut(tapped.mixing, run),
        made_linear(whole, is_over),
        Calls({*cut, *read, *layers}).hooked(change),
    ):
        row = prepared.read(inputs)[0]
        difference = row[words[0]] - row[words[1]]
        sources = [*run.given.values(), *biases.values(), *tables]
        slopes = iter(torch.autograd.grad(difference, sources, allow_unused=True))
        run.difference = float(difference.detach())
        run.slopes = {tap: one for tap in run.given if (one := next(slopes)) is not None}
        for name, bias in biases.items():
            if (slope := next(slopes)) is not None:
                run.biases.append((name, named[name], times(slope, bias)))
        for table, slope in zip(tables, slopes, strict=True):
            if slope is not None:
                run.later.append(times(slope, table))
    return run


def _cut(run: LinearRun, tap: Tap, states: Any) -> Any:
    """The same states, of which nobody knows what they were made of."""
    run.given[tap] = states.detach().clone().requires_grad_()
    # A model may change in its place what it is given.
    return run.given[tap].clone()


def _taps(tapped: Tapped) -> tuple[set[Tap], set[Tap], set[Tap]]:
    """What is cut off, what is only looked at, and what leaves layers."""
    cut, read, layers = set[Tap](), set[Tap](), set[Tap]()
    for stack in (*tapped.stacks, *tapped.neurons):
        for number, row in enumerate(stack.rows):
            if stack.component in (Component.HEAD, Component.NEURON):
                read |= {*row.taps}
            elif stack.component is not Component.RESIDUAL or number == 0:
                cut |= {*row.taps}
            else:
                layers |= {*row.taps}
    return cut, read, layers


@contextmanager
def _following(whole: Any) -> Iterator[dict[str, Any]]:
    """Let gradients go to the biases of a model alone, inside the block."""
    before = [(one, one.requires_grad) for one in whole.parameters()]
    named = dict(whole.named_parameters())
    biases = {name: one for name, one in named.items() if name.endswith("bias")}
    try:
        for name, one in named.items():
            one.requires_grad_(name in biases)
        yield biases
    finally:
        for one, was in before:
            one.requires_grad_(was)


@contextmanager
def _named(
    whole: Any, biases: dict[str, Any], is_over: Callable[[], bool]
) -> Iterator[dict[str, WrittenBy]]:
    """What each bias is of: a norm, another module between layers, or one behind all of them."""
    found: dict[str, WrittenBy] = {}
    owners = {name: whole.get_submodule(name.rpartition(".")[0]) for name in biases}

    def note(name: str) -> Callable[..., None]:
        def noted(*_args: Any) -> None:
            found[name] = WrittenBy.HEAD_BIAS if is_over() else WrittenBy.OTHER_BIAS

        return noted

    with ExitStack() as around:
        for name, owner in owners.items():
            if is_norm(owner):
                found[name] = WrittenBy.NORM_BIAS
                continue
            # A bias may be used where its module is not called (tied ones of heads).
            found[name] = WrittenBy.HEAD_BIAS
            around.callback(owner.register_forward_hook(note(name)).remove)
        yield found


@contextmanager
def _tables_cut(whole: Any) -> Iterator[list[Any]]:
    """What tables of vectors give, cut off from them, inside the block."""
    import torch

    tables: list[Any] = []

    def cut(_module: Any, _args: Any, output: Any) -> Any:
        tables.append(output.detach().clone().requires_grad_())
        return tables[-1].clone()

    with ExitStack() as around:
        for module in whole.modules():
            if isinstance(module, torch.nn.Embedding):
                around.callback(module.register_forward_hook(cut).remove)
        yield tables


@contextmanager
def _convolution_cut(modules: Sequence[Any], run: LinearRun) -> Iterator[None]:
    """Cut off what modules add to the second of their arguments before their norm.

    DeBERTa v2's convolution reads the embeddings and is added to what leaves the first layer
    (He et al. 2021, "DeBERTaV3", section 3.1; transformers' `ConvLayer`).
    """

    def watched(module: Any, norm: Any, around: ExitStack) -> None:
        stream: list[Any] = []

        def enter(_module: Any, args: tuple[Any, ...]) -> None:
            stream.append(args[1])

        def add(_norm: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
            tap = Tap(module, len(run.mixed), is_input=True)
            run.mixed.append(tap)
            return stream[-1] + _cut(run, tap, args[0] - stream[-1]), *args[1:]

        around.callback(module.register_forward_pre_hook(enter).remove)
        around.callback(norm.register_forward_pre_hook(add).remove)

    with ExitStack() as around:
        for module in modules:
            for norm in filter(is_norm, module.children()):
                watched(module, norm, around)
        yield
