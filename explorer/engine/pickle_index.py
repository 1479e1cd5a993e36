"""The tensors of a PyTorch file, listed without unpickling anything that could run.

A PyTorch file is a zip archive in which one pickle says which tensors there are and the data lie
beside it (torch.save's format since 1.6). That pickle is read with an unpickler that knows a few
harmless names and takes an inert stand-in for every other, so nothing the file asks for is
imported or called.
"""

import collections
import pickle
import zipfile
from pathlib import Path
from typing import Any, Self

from explorer.api import CheckpointFault, Tensor

LARGEST_INDEX = 64_000_000
"""Bytes of a pickle that lists tensors; the data lie elsewhere, so more is not honest."""

DTYPES = {
    "FloatStorage": "F32",
    "DoubleStorage": "F64",
    "HalfStorage": "F16",
    "BFloat16Storage": "BF16",
    "LongStorage": "I64",
    "IntStorage": "I32",
    "ShortStorage": "I16",
    "CharStorage": "I8",
    "ByteStorage": "U8",
    "BoolStorage": "BOOL",
}


class _Inert:
    """Stands in for anything a pickle names: takes every call and every state, does nothing."""

    def __new__(cls, *_args: object, **_kwargs: object) -> Self:
        return super().__new__(cls)

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        pass

    def __call__(self, *_args: object, **_kwargs: object) -> "_Inert":
        return self

    def __setstate__(self, _state: object) -> None:
        pass

    def __setitem__(self, _key: object, _value: object) -> None:
        pass

    def append(self, _value: object) -> None:
        """Take a list's item."""

    def extend(self, _values: object) -> None:
        """Take a list's items."""


class _Found:
    """A tensor of the pickle."""

    def __init__(self, dtype: str, shape: tuple[int, ...]) -> None:
        self.dtype = dtype
        self.shape = shape

    def __setstate__(self, _state: object) -> None:
        pass


def _rebuild_tensor(storage: object, _offset: object, size: object, *_rest: object) -> object:
    if isinstance(storage, str) and isinstance(size, tuple):
        return _Found(storage, tuple(int(n) for n in size))
    return _Inert()


def _rebuild_parameter(data: object, *_rest: object) -> object:
    return data


def _rebuild_from_type(make: object, _kind: object, arguments: object, _state: object) -> object:
    """Tensors of a subclass (nn.Buffer), which torch writes as a tensor and a type."""
    if make in (_rebuild_tensor, _rebuild_parameter) and isinstance(arguments, tuple):
        return make(*arguments)
    return _Inert()


class _Reader(pickle.Unpickler):
    """Builds the dictionary of tensors and nothing else."""

    def __init__(self, file: Any) -> None:
        super().__init__(file)
        self.foreign: list[str] = []

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if module == "torch._utils" and name in ("_rebuild_tensor_v2", "_rebuild_tensor"):
            return _rebuild_tensor
        if module == "torch._utils" and name.startswith("_rebuild_parameter"):
            return _rebuild_parameter
        if (module, name) == ("torch._tensor", "_rebuild_from_type_v2"):
            return _rebuild_from_type
        if module in ("torch", "torch.storage") and name.endswith("Storage"):
            return DTYPES.get(name, name)
        if module in ("torch.serialization", "torch.nn.parameter") or (
            module == "torch" and name in ("Size", "Tensor", "device")
        ):
            return _Inert
        self.foreign.append(f"{module}.{name}")
        return _Inert

    def persistent_load(self, pid: Any) -> Any:
        if isinstance(pid, tuple) and len(pid) > 1 and isinstance(pid[1], str):
            return pid[1]
        return _Inert()


def read_pickle_index(path: Path) -> dict[str, Tensor]:
    """The tensors of a PyTorch file by name; empty for the old format without a zip archive.

    Raises:
        CheckpointFault: It is not a PyTorch file, is damaged, or asks for more than tensors.
    """
    if not zipfile.is_zipfile(path):
        return _old_format(path)
    damaged = CheckpointFault(f"{path.name} is damaged.", "Copy or download the checkpoint again.")
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith("/data.pkl")]
            if len(names) != 1 or archive.getinfo(names[0]).file_size > LARGEST_INDEX:
                raise damaged
            with archive.open(names[0]) as file:
                reader = _Reader(file)
                content = reader.load()
    except CheckpointFault:
        raise
    except Exception as error:
        raise damaged from error
    if reader.foreign:
        raise CheckpointFault(
            f"{path.name} holds more than weights: opening it would run {reader.foreign[0]}.",
            "It was not opened. Get the checkpoint as safetensors, from a source you trust.",
        )
    if isinstance(content, dict) and isinstance(content.get("state_dict"), dict):
        content = content["state_dict"]
    if not isinstance(content, dict):
        raise damaged
    return {
        name: Tensor(found.shape, found.dtype, path.name)
        for name, found in content.items()
        if isinstance(name, str) and isinstance(found, _Found)
    }


def _old_format(path: Path) -> dict[str, Tensor]:
    """Files of torch.save before 1.6: nothing can be said of them before they are loaded."""
    with path.open("rb") as file:
        start = file.read(2)
        if start[:1] == b"\x80" and 2 <= start[1] <= 5:
            return {}
        end = path.stat().st_size
    if start == b"PK":
        raise CheckpointFault(
            f"{path.name} is cut short ({end:,} bytes).",
            "Finish the download, or copy the file again.",
        )
    raise CheckpointFault(
        f"{path.name} is not a PyTorch file.", "Copy or download the checkpoint again."
    )
