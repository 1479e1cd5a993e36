"""One short forward of a loaded model, with all that its modules took and gave.

Every claim is compared with the same run. What a port asks of a stack meanwhile for the same input
is answered with what the stack gave then: it need not run again.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any, TypeVar

from explorer.api.errors import is_out_of_memory
from explorer.api.family import (
    AttentionModules,
    Attentions,
    Cancelled,
    Context,
    Direction,
    Encoded,
    HiddenStates,
    LoadedModel,
    Mask,
    Predictor,
)
from explorer.hf.attention.queries_keys import QueriesKeys
from explorer.hf.attention.weights import AttendingStack
from explorer.hf.states.taps import Tap

T = TypeVar("T")

SAMPLE = "the cat sat on the mat"
WORD = Mask(4, 7)
"""What is hidden of it where a model fills masks."""
WRITTEN = 3
"""Pieces of it that a decoder beside an encoder reads."""

CLOSE = {"float32": 1e-4, "bfloat16": 5e-2, "float16": 1e-2}
"""How far a number may be from the model's own, by the type of the numbers."""

TELLS = {"output_attentions": "attentions", "output_hidden_states": "hidden_states"}
"""Arguments that have a stack tell more of a run, and what it tells then."""

SAYS_MORE = frozenset({*TELLS, "return_dict", "use_cache"})
"""Arguments that change what a stack tells of a run, and not the run."""


@dataclass
class ForwardCall:
    """One call of a module.

    Attributes:
        path: Of the module.
        module: Itself.
        number: Which of its calls, counted from 0.
        began: When.
        ended: When.
        given: Its first tensor of states (1 x tokens x width), a copy; None without one.
        gave: Likewise what came out first.
        ids: Numbers of rows that a table was asked for.
        arguments: What a stack was called with, by name; None for what is no stack.
        output: All that it gave.
    """

    path: str
    module: Any
    number: int
    began: int
    ended: int = 0
    given: Any = None
    gave: Any = None
    ids: Any = None
    arguments: Mapping[str, Any] | None = None
    output: Any = None


class ModelTrial:
    """A model that is tried.

    Args:
        model: With all the ports that its family gave it.
    """

    def __init__(self, model: LoadedModel) -> None:
        self.model = model
        self._lost: dict[str, Exception] = {}

    @property
    def close(self) -> float:
        """How far a number may be off."""
        return CLOSE.get(self.model.dtype, 1e-2)

    @cached_property
    def encoded(self) -> Encoded:
        """What it reads: a sentence, with a masked word where it fills masks."""
        model = self.model
        port = model.ports.get(Predictor)
        fills = getattr(port, "direction", None) is Direction.BOTH
        masks = (WORD,) if fills and model.tokenizer.mask_token is not None else ()
        return model.encode(SAMPLE, None, masks)

    @cached_property
    def plain(self) -> Encoded:
        """The sentence with nothing masked."""
        return self.model.encode(SAMPLE)

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The sentence's own pieces."""
        return tuple(one.id for one in self.plain.tokens if not one.special)

    @cached_property
    def _ran(self) -> tuple[list[ForwardCall], list[QueriesKeys], Mapping[str, AttendingStack]]:
        """The run: what was called, queries and keys, and attention.

        What can't be had costs what it is of, and no more: the run is made without it.
        """
        ports = self.model.ports
        if Attentions in ports:
            for what in ("keys", "attention"):
                if what == "keys" and AttentionModules not in ports:
                    continue
                try:
                    return self._run(attention=True, keys=what == "keys")
                except Cancelled:
                    raise
                except Exception as error:
                    if is_out_of_memory(error):
                        raise
                    self._lost[what] = error
        return self._run(attention=False, keys=False)

    def _run(
        self, *, attention: bool, keys: bool
    ) -> tuple[list[ForwardCall], list[QueriesKeys], Mapping[str, AttendingStack]]:
        import torch

        model, calls = self.model, list[ForwardCall]()
        kept: list[QueriesKeys] = []
        stacks: Mapping[str, AttendingStack] = {}
        with ExitStack() as around, torch.inference_mode():
            around.enter_context(_telling_states(model.module))
            around.enter_context(_watched(model.module, calls))
            if keys:
                kept = around.enter_context(model.ports[AttentionModules].captured())
            if attention:
                port = model.ports[Attentions]
                stacks = port.capture(self.encoded, Context(), self.ids[:WRITTEN])
            else:
                model.encoder(**self.encoded.inputs)
        return calls, kept, stacks

    @property
    def calls(self) -> list[ForwardCall]:
        """Of all modules, in the order in which they ended."""
        return self._ran[0]

    def call_of(self, tap: Tap) -> ForwardCall | None:
        """The call that a tap is at; None where it took no part."""
        return self._by_tap.get((id(tap.module), tap.call))

    @cached_property
    def _by_tap(self) -> Mapping[tuple[int, int], ForwardCall]:
        return {(id(one.module), one.number): one for one in self.calls}

    @property
    def kept(self) -> list[QueriesKeys]:
        """Queries and keys of every call of an attention.

        Raises:
            Exception: They can't be had, and this came of trying.
        """
        return self._had("keys", self._ran[1])

    @property
    def stacks(self) -> Mapping[str, AttendingStack]:
        """Its attention, by kind.

        Raises:
            Exception: It can't be had, and this came of trying.
        """
        return self._had("attention", self._ran[2])

    @property
    def stacks_had(self) -> Mapping[str, AttendingStack]:
        """The same; nothing where it can't be had."""
        return {} if "attention" in self._lost else self._ran[2]

    def _had(self, what: str, found: T) -> T:
        if what in self._lost:
            raise self._lost[what]
        return found

    @cached_property
    def last(self) -> Any:
        """What its encoder gives (tokens x width), float32."""
        import torch

        with self.known(), torch.inference_mode():
            return self.model.encoder(**self.encoded.inputs)[0].float()

    @cached_property
    def rows(self) -> Any:
        """The states told of its layers (rows x tokens x width), float32."""
        with self.known():
            return self.model.ports[HiddenStates].states([self.encoded], Context())[0].float()

    @cached_property
    def outputs(self) -> Mapping[str, Any]:
        """What the model's own class gives for the text, by name: tensors, float32."""
        import torch

        module = self.model.module
        if type(module).forward is torch.nn.Module.forward:
            return {}  # heads beside each other, which nobody but the ports puts together
        with self.known(), torch.inference_mode():
            output = module(**self.encoded.inputs)
        return {
            name: value[0].float()
            for name, value in (dict(output) if isinstance(output, Mapping) else {}).items()
            if isinstance(value, torch.Tensor) and value.dim() > 1 and len(value) == 1
        }

    @contextmanager
    def known(self) -> Iterator[None]:
        """Let stacks that are given the same again give what they gave, inside the block."""
        stacks: dict[int, list[ForwardCall]] = {}
        for call in self.calls:
            if call.arguments is not None:
                stacks.setdefault(id(call.module), []).append(call)
        changed: list[Any] = []
        try:
            for calls in stacks.values():
                module = calls[0].module
                if "forward" not in vars(module):
                    module.forward = _remembering(module, calls)
                    changed.append(module)
            yield
        finally:
            for module in changed:
                del module.forward


def _remembering(module: Any, calls: list[ForwardCall]) -> Any:
    plain = module.forward

    def forward(*args: Any, **kwargs: Any) -> Any:
        arguments = _arguments(module, args, kwargs)
        for call in calls:
            if call.arguments is not None and _are_alike(call.arguments, arguments):
                wanted = [told for flag, told in TELLS.items() if arguments.get(flag)]
                if all(getattr(call.output, told, None) is not None for told in wanted):
                    return call.output
        return plain(*args, **kwargs)

    return forward


def _are_alike(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether two calls of a stack are the same run; one that wants a plain tuple never is."""
    import torch

    if now.get("return_dict") is False:
        return False
    first, second = (
        {name: value for name, value in one.items() if name not in SAYS_MORE}
        for one in (before, now)
    )
    if first.keys() != second.keys():
        return False
    for name, value in first.items():
        other = second[name]
        if isinstance(value, torch.Tensor) and isinstance(other, torch.Tensor):
            if value.shape != other.shape or not bool((value == other).all()):
                return False
        elif value is not other:
            return False
    return True


def _arguments(module: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """What a forward is called with, by name, without what is left out."""
    found = dict(kwargs)
    if args:
        bound = signature(type(module).forward).bind_partial(module, *args)
        found |= dict(list(bound.arguments.items())[1:])
    return {name: value for name, value in found.items() if value is not None}


@contextmanager
def _telling_states(module: Any) -> Iterator[None]:
    """Let stacks tell of all their layers' states, as where they are asked to."""
    name = "output_hidden_states"
    configs = {
        id(part.config): part.config
        for part in module.modules()
        if hasattr(getattr(part, "config", None), name)
    }
    before = {key: getattr(config, name) for key, config in configs.items()}
    try:
        for config in configs.values():
            setattr(config, name, True)
        yield
    finally:
        for key, config in configs.items():
            setattr(config, name, before[key])


@contextmanager
def _watched(whole: Any, calls: list[ForwardCall]) -> Iterator[None]:
    """Write down every call of every module inside the block."""
    import torch

    numbers: dict[int, int] = {}
    running: list[ForwardCall] = []
    now = iter(range(10**9))
    handles: list[Any] = []

    def watch(path: str, inner: Any) -> None:
        def enter(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            number = numbers[id(module)] = numbers.get(id(module), -1) + 1
            call = ForwardCall(path, module, number, next(now))
            first = args[0] if args else kwargs.get("hidden_states")
            call.given = _states(first)
            if type(module).forward is torch.nn.Embedding.forward:
                call.ids = first.clone() if isinstance(first, torch.Tensor) else None
            elif any(module.children()):
                with suppress(TypeError):
                    arguments = _arguments(module, args, kwargs)
                    ids = arguments.get("input_ids")
                    if isinstance(ids, torch.Tensor):
                        call.arguments = arguments
            running.append(call)

        def leave(_module: Any, _args: Any, output: Any) -> None:
            call = running.pop()
            call.ended = next(now)
            call.gave = _states(output[0] if isinstance(output, tuple | list) else output)
            if call.arguments is not None:
                call.output = output
            calls.append(call)

        handles.append(inner.register_forward_pre_hook(enter, with_kwargs=True))
        handles.append(inner.register_forward_hook(leave))

    try:
        for path, inner in whole.named_modules():
            if not isinstance(inner, torch.nn.Dropout):  # it passes on what it is given
                watch(path, inner)
        yield
    finally:
        for handle in handles:
            handle.remove()


def _states(value: Any) -> Any:
    """A copy of one state a token; None for anything else."""
    import torch

    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return None
    if value.dim() == 3 and len(value) == 1:
        return value[0].float().clone()
    return value.float().clone() if value.dim() == 2 else None
