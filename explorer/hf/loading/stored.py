"""Weights as they lie in safetensors files: each tensor is read when it is wanted, and not before.

Nothing is mapped from a file. A mapped tensor would change with its file, would take addresses of
the size of all files, and on Windows memory of that size; so a checkpoint of any number of files is
read tensor by tensor, and only what is being put in its place is in memory twice.
"""

from math import prod
from pathlib import Path
from types import EllipsisType
from typing import Any

from explorer.api.errors import is_out_of_memory
from explorer.api.family import Cancelled, CheckpointFault, Context, ExplorerError, MachineFault
from explorer.hf.cancelling import current
from explorer.series.row_scales import FILE, apart, fits
from explorer.text import N_
from explorer.text.printable import first_line

AGAIN = N_("Copy or download the checkpoint again.")


ALIGNED = 64
"""Bytes; what torch makes itself begins at a multiple of them."""


class StoredTensor:
    """A tensor in a file, as transformers reads one: by `tensor[...]`.

    Attributes:
        shape: As stored.
        fault: Why it could not be read; None where it could, or was not asked for yet. What is
            raised on the way may be caught by the libraries that read, so it is kept here.
    """

    def __init__(self, file: Any, path: Path, name: str, context: Context | None) -> None:
        self._file, self._path, self._name, self._context = file, path, name, context
        self.shape = tuple(file.get_slice(name).get_shape())
        self.fault: ExplorerError | Cancelled | MemoryError | None = None

    @property
    def size(self) -> int:
        """How many numbers."""
        return prod(self.shape)

    def __getitem__(self, everything: EllipsisType) -> Any:
        """The tensor, in memory of its own and in the type it is stored in.

        Raises:
            CheckpointFault: The file can't be read.
            MachineFault: There is not enough memory.
            Cancelled: The run that wants it was cancelled.
        """
        try:
            if self._context is not None:
                self._context.check()
            return self._read()
        except (ExplorerError, Cancelled, MemoryError) as error:
            self.fault = error
            raise

    def _read(self) -> Any:
        from safetensors import SafetensorError

        try:
            tensor = self._file.get_tensor(self._name)
            # Products of numbers that lie elsewhere within a cache line are rounded otherwise.
            return tensor if tensor.data_ptr() % ALIGNED == 0 else tensor.clone()
        except SafetensorError as error:
            raise _damaged(self._path, error) from error
        except OSError as error:
            raise _unreadable(self._path, error) from error
        except RuntimeError as error:
            if is_out_of_memory(error) or "Cannot allocate memory" in str(error):
                raise _no_memory(self._path) from error
            raise


class RowScaledTensor(StoredTensor):
    """A tensor whose rows lie in a file as whole numbers with scales (`series.row_scales`).

    Args:
        rows: The whole numbers.
        scales: Of each row.
    """

    def __init__(self, rows: StoredTensor, scales: StoredTensor) -> None:
        self._rows, self._scales = rows, scales
        self.shape = rows.shape
        self.fault: ExplorerError | Cancelled | MemoryError | None = None
        self._context = None

    def _read(self) -> Any:
        import torch

        scales = self._scales[...].to(torch.float32)
        whole = self._rows[...].to(torch.float32)
        return whole.mul_(scales.reshape(-1, *[1] * (whole.dim() - 1)))


def read_stored(path: Path) -> dict[str, StoredTensor]:
    """The tensors of a safetensors file by name; only its header is read here.

    Those that are stored as whole numbers are read with their scales.

    Raises:
        CheckpointFault: It is damaged, or can't be read.
        MachineFault: There is not enough memory for its header.
    """
    from safetensors import SafetensorError, safe_open

    try:
        # Read with pread: nothing is mapped.
        file = safe_open(str(path), framework="pt", device="cpu", backend="pread")
        context = current()
        names: list[str] = file.keys()  # type: ignore[no-untyped-call]
        found = {name: StoredTensor(file, path, name, context) for name in names}
    except SafetensorError as error:
        raise _damaged(path, error) from error
    except OSError as error:
        raise _unreadable(path, error) from error
    except RuntimeError as error:
        if "Cannot allocate memory" not in str(error):
            raise
        raise _no_memory(path) from error
    return _scaled(path, found) if path.name == FILE else found


def _scaled(path: Path, found: dict[str, StoredTensor]) -> dict[str, StoredTensor]:
    """With the scales of those that have some.

    Raises:
        CheckpointFault: Some are of another shape.
    """
    tensors, scales = apart(found)
    for name, one in scales.items():
        if not fits(tensors[name].shape, one.shape):
            raise _damaged(path, ValueError(f"{name}: {one.shape}"))
        tensors[name] = RowScaledTensor(tensors[name], one)
    return tensors


def in_memory(tensor: Any) -> Any:
    """A tensor that may still lie in its file."""
    return tensor[...] if isinstance(tensor, StoredTensor) else tensor


def _damaged(path: Path, error: Exception) -> CheckpointFault:
    return CheckpointFault(
        N_("{name} is damaged ({error})."), AGAIN, name=path.name, error=first_line(error)
    )


def _unreadable(path: Path, error: OSError) -> CheckpointFault:
    return CheckpointFault(
        N_("{name} can't be read ({error})."), AGAIN, name=path.name, error=error
    )


def _no_memory(path: Path) -> MachineFault:
    return MachineFault(
        N_("There is not enough memory for {name}."),
        N_("Unload another model, or choose a smaller checkpoint."),
        name=path.name,
    )
