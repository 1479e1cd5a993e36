"""A GPU that is not there, for tests of everything that runs on one: NVIDIA's, or Apple's.

Its tensors say that they lie on "cuda:0" (or "mps:0"), keep their numbers in the machine's memory,
and are as strict as a real one's: an operation on numbers of both sides is refused, NumPy reads
none of them, there is no float64, which Apple's lack, and only so much memory. The kernels are the
CPU's, so answers must equal the CPU's.

    with simulated_gpu() as gpu:
        model = tiny.load(folder, device="cuda")

What it can't show is what only a real device's kernels do: their rounding, and their speed.
"""

import weakref
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Literal, Self
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

from tests.unloading import unloaded_wholly

BELOW = torch.device("lazy:0")
"""What torch itself takes the device for. A build without CUDA has no guards and no queue of
autograd's for "cuda"; for this one it has them, and no kernel that could be run by mistake."""
CPU = torch.device("cpu")
MEMORY = 8 * 2**30
TOO_LONG = {torch.float64, torch.complex128}

aten = torch.ops.aten
INDEXING = {aten.index, aten.index_put, aten.index_put_, aten._unsafe_index}
"""A GPU's tensor takes indices from the machine's memory too."""
CARRYING = {aten.copy_, aten.copy, aten._to_copy}
"""What carries numbers from one side to the other."""


Kind = Literal["cuda", "mps"]


MADE_OF_DATA = {torch.tensor, torch.as_tensor, torch.scalar_tensor}


class WrongDevice(RuntimeError):
    """Tensors of both sides in one operation."""


class NoSuchNumbers(TypeError):
    """The device has no such number type."""


class Held:
    """Stands for memory that is taken: it is given back with the last of these."""


class Gpu:
    """What lies on the device.

    Args:
        kind: "cuda" or "mps".
        memory: Bytes that it has.

    Attributes:
        device: As torch names it.
        allocated: Bytes that are taken.
        peak: The most that were, since it was last looked at anew.
        refusals: How often there was not enough.
        at_empty_cache: What was taken each time when the cache was emptied.
        waited_for: The devices whose work was waited for.
    """

    def __init__(self, kind: Kind = "cuda", memory: int = MEMORY) -> None:
        self.kind = kind
        self.device = torch.device(f"{kind}:0")
        self.memory = memory
        self._allowed = 1.0
        self.allocated = 0
        self.peak = 0
        self.refusals = 0
        self.at_empty_cache: list[int] = []
        self.waited_for: list[object] = []
        self._holders: Counter[int] = Counter()

    def hold(self, raw: torch.Tensor) -> "Held":
        """Count what a tensor takes, once for all that share its numbers.

        Returns:
            What has to be kept as long as the tensor is.

        Raises:
            OutOfMemoryError: There is not as much.
            NoSuchNumbers: The device has none of this type.
        """
        if raw.dtype in TOO_LONG:
            raise NoSuchNumbers(f"Not every GPU has {raw.dtype}.")
        storage = raw.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        if not self._holders[key]:
            if self.allocated + size > self._allowed * self.memory:
                self.refusals += 1
                raise self._out_of_memory(size)
            self.allocated += size
            self.peak = max(self.peak, self.allocated)
        self._holders[key] += 1
        held = Held()
        weakref.finalize(held, self._release, key, size).atexit = False
        return held

    def _out_of_memory(self, size: int) -> RuntimeError:
        """As each kind tells it."""
        if self.kind == "mps":
            return RuntimeError(f"MPS backend out of memory. Tried to allocate {size} bytes.")
        return torch.OutOfMemoryError(f"CUDA out of memory. Tried to allocate {size} bytes.")

    def _release(self, key: int, size: int) -> None:
        self._holders[key] -= 1
        if not self._holders[key]:
            self.allocated -= size
            del self._holders[key]

    @property
    def free(self) -> int:
        """Bytes that can be had."""
        return self.memory - self.allocated

    def limit(self, fraction: float, device: object = None) -> None:
        """Let this process have a part of the memory, which what is said to be free says not."""
        self._allowed = fraction

    def empty_cache(self) -> None:
        """Note what was taken when what is not was given back."""
        self.at_empty_cache.append(self.allocated)

    def synchronize(self, device: object = None) -> None:
        self.waited_for.append(device)

    def reset_peak(self, device: object = None) -> None:
        self.peak = self.allocated


_now: list[Gpu] = []


class OnGpu(torch.Tensor):
    """A tensor of the device.

    Attributes:
        raw: Its numbers.
        held: The memory that they take.
    """

    raw: torch.Tensor
    held: Held

    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, raw: torch.Tensor) -> Self:
        # A view of a tensor that was made outside of inference mode is none of inference mode's:
        # the numbers below know best.
        with torch.inference_mode(False):
            made = torch.Tensor._make_wrapper_subclass(
                cls,
                raw.size(),
                strides=raw.stride(),
                storage_offset=raw.storage_offset(),
                dtype=raw.dtype,
                layout=raw.layout,
                device=BELOW,
            )
        made.raw = raw
        made.held = _now[-1].hold(raw)
        return made

    @classmethod
    def __torch_dispatch__(
        cls,
        func: Any,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        return _run(func, args, dict(kwargs or {}))

    @property
    def device(self) -> torch.device:
        return _now[-1].device

    @property
    def is_cuda(self) -> bool:
        return _now[-1].kind == "cuda"

    @property
    def is_mps(self) -> bool:
        return _now[-1].kind == "mps"

    @property
    def data(self) -> torch.Tensor:
        """The same numbers, of which no gradient is asked for."""
        return self.detach()

    @data.setter
    def data(self, other: torch.Tensor) -> None:
        """Take others' numbers, of any type: torch changes what it knows of them alone."""
        if not isinstance(other, OnGpu):
            raise WrongDevice(f"The numbers on {self.device} can't become those on {other.device}")
        with torch.inference_mode(False):
            torch.Tensor.data.__set__(self, other)  # type: ignore[attr-defined]
        self.raw, self.held = other.raw, other.held

    def data_ptr(self) -> int:
        return self.raw.data_ptr()

    def tolist(self) -> Any:
        return self.raw.tolist()

    def numpy(self, *, force: bool = False) -> Any:
        if force:
            return self.raw.numpy(force=True)
        raise TypeError(f"can't convert {self.device} device type tensor to numpy.")

    def __array__(self, *args: object, **kwargs: object) -> Any:
        return self.numpy()

    def new_tensor(self, data: Any, *, dtype: torch.dtype | None = None) -> torch.Tensor:
        return torch.tensor(data, dtype=dtype or self.dtype).to(self.device)

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(_indices(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(_indices(index), value)

    def __repr__(self, *, tensor_contents: object = None) -> str:
        return f"OnGpu({self.raw!r})"


def _indices(index: Any) -> Any:
    """Lists of numbers as tensors, which torch would make where no mode sees it."""
    if isinstance(index, tuple):
        return tuple(_indices(one) for one in index)
    if not isinstance(index, list):
        return index
    return torch.tensor(index) if index else torch.zeros(0, dtype=torch.long)


class _Factories(TorchDispatchMode):
    """Sees operations on no tensor of the device: some make one."""

    def __torch_dispatch__(
        self,
        func: Any,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        return _run(func, args, dict(kwargs or {}))


class _FromData(TorchFunctionMode):
    """Sees what Python's own numbers are made into, which torch does below every dispatch."""

    def __torch_function__(
        self,
        func: Any,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        args = tuple(map(_numbered, args))
        given = {name: _numbered(value) for name, value in (kwargs or {}).items()}
        if func in MADE_OF_DATA and _is_gpu(given.get("device")):
            return func(*args, **{**given, "device": CPU}).to(_now[-1].device)
        return func(*args, **given)


def _numbered(argument: Any) -> Any:
    """A device with its number, which torch would ask a driver for."""
    is_device = isinstance(argument, str | torch.device) and str(argument) == _now[-1].kind
    return _now[-1].device if is_device else argument


def _is_gpu(device: Any) -> bool:
    return device is not None and torch.device(device).type in {_now[-1].kind, BELOW.type}


def _run(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """One operation, on the side where its tensors lie.

    Raises:
        WrongDevice: They lie on both.
    """
    given = [one for one in tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
    ours = [one for one in given if isinstance(one, OnGpu)]
    args, kwargs = _with_device_named(func, args, kwargs)
    goes_to = kwargs.get("device")
    if not ours and not _is_gpu(goes_to):
        return func(*args, **kwargs)
    if func.overloadpacket in {aten.to, aten.type_as}:
        return _converted(func, args, kwargs)
    if ours and func.overloadpacket not in CARRYING:
        _check(func, args, given)
    stays = goes_to is None or _is_gpu(goes_to)
    if _is_gpu(goes_to):
        kwargs["device"] = CPU
    raw_args, raw_kwargs = tree_map_only(OnGpu, lambda one: one.raw, (args, kwargs))
    made = func(*raw_args, **raw_kwargs)
    if func.overloadpacket is aten.copy_:
        return args[0]
    if not stays:
        return made
    known = {id(one.raw): one for one in ours}

    def on_gpu(raw: torch.Tensor) -> OnGpu:
        return known[id(raw)] if id(raw) in known else OnGpu(raw)

    return tree_map_only(torch.Tensor, on_gpu, made)


def _with_device_named(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with the device, and what stands behind it, by their names."""
    names = [one.name for one in func._schema.arguments]
    if "device" not in names[: len(args)]:
        return args, kwargs
    at = names.index("device")
    return args[:at], {**dict(zip(names[at:], args[at:], strict=False)), **kwargs}


def _converted(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `Tensor.to` does, which reaches us whole where no gradient is asked for."""
    names = [one.name for one in func._schema.arguments]
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    own, other = given["self"], given.get("other")
    wanted = {
        name: value
        for name in ("dtype", "device")
        if (value := getattr(other, name, given.get(name))) is not None
    }
    if _is_gpu(wanted.get("device")):
        wanted["device"] = _now[-1].device
    if not given.get("copy") and all(getattr(own, name) == wanted[name] for name in wanted):
        return own
    return _run(aten._to_copy.default, (own,), wanted)


def _check(func: Any, args: tuple[Any, ...], given: Sequence[torch.Tensor]) -> None:
    """Refuse numbers of the machine's beside the device's own; a single one goes along."""
    allowed: list[Any] = []
    if func.overloadpacket in INDEXING and isinstance(args[0], OnGpu):
        allowed = tree_leaves(args[1])
    for one in given:
        if not isinstance(one, OnGpu) and one.dim() and not any(one is index for index in allowed):
            raise WrongDevice(f"{func} was given tensors on {_now[-1].device} and on {one.device}")


@contextmanager
def simulated_gpu(kind: Kind = "cuda", memory: int = MEMORY) -> Iterator[Gpu]:
    """Have a GPU, in this thread.

    Args:
        kind: "cuda" or "mps".
        memory: Bytes that it has.
    """
    gpu = Gpu(kind, memory)
    _now.append(gpu)
    try:
        with ExitStack() as stack:
            for module, name, stand_in in _patched(gpu):
                stack.enter_context(mock.patch.object(module, name, stand_in))
            stack.enter_context(unloaded_wholly())
            stack.enter_context(_FromData())
            stack.enter_context(_Factories())
            yield gpu
    finally:
        _now.pop()


_apply = torch.nn.Module._apply


def _moved(module: torch.nn.Module, *args: Any, **kwargs: Any) -> torch.nn.Module:
    """Move a module. A parameter stays the object that it is, as on a real device."""
    swaps = torch.__future__.get_swap_module_params_on_conversion()
    torch.__future__.set_swap_module_params_on_conversion(True)
    try:
        return _apply(module, *args, **kwargs)
    finally:
        torch.__future__.set_swap_module_params_on_conversion(swaps)


def _patched(gpu: Gpu) -> Iterator[tuple[Any, str, Any]]:
    """What torch tells of devices: module, name, and what stands in."""
    is_cuda = gpu.kind == "cuda"
    yield torch.nn.Module, "_apply", _moved
    yield torch.backends.cudnn, "is_acceptable", lambda tensor: False
    yield torch.cuda, "is_available", lambda: is_cuda
    yield torch.backends.mps, "is_available", lambda: not is_cuda
    if is_cuda:
        yield torch.cuda, "device_count", lambda: 1
        yield torch.cuda, "get_device_name", lambda device=None: "Simulated"
        yield torch.cuda, "_lazy_init", lambda: None
        yield torch.cuda, "memory_allocated", lambda device=None: gpu.allocated
        yield torch.cuda, "memory_reserved", lambda device=None: gpu.allocated
        yield torch.cuda, "max_memory_allocated", lambda device=None: gpu.peak
        yield torch.cuda, "reset_peak_memory_stats", gpu.reset_peak
        yield torch.cuda, "memory_stats", lambda device=None: {"num_ooms": gpu.refusals}
        yield torch.cuda, "set_per_process_memory_fraction", gpu.limit
        yield torch.cuda, "mem_get_info", lambda device=None: (gpu.free, gpu.memory)
    module = torch.cuda if is_cuda else torch.mps
    yield module, "empty_cache", gpu.empty_cache
    yield module, "synchronize", gpu.synchronize
