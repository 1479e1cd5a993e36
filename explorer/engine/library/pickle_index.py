"""The tensors of a PyTorch file, listed without unpickling anything that could run.

A PyTorch file is a zip archive in which one pickle says which tensors there are and the data lie
beside it (torch.save's format since 1.6). That pickle is not unpickled: its opcodes are followed
by `pickle_walk`, with limits, so nothing the file asks for is imported or called, and no file can
take more time or memory than a list of tensors does.
"""

import io
import zipfile
from pathlib import Path
from typing import IO

from explorer.api.family import CheckpointFault, Tensor
from explorer.engine.library.file_limits import (
    AGAIN,
    LARGEST_INDEX,
    Allowance,
    checked_shape,
    refuse_special,
    shown,
)
from explorer.engine.library.pickle_names import Excessive, FoundTensor
from explorer.engine.library.pickle_walk import Walk
from explorer.text import N_

CHUNK = 1 << 20
LARGEST_DIRECTORY = 8_000_000
"""Bytes of a zip archive's own list of files; torch writes some 80 a tensor."""

STORED_AS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
OLD_PICKLES = 5
"""Pickles at the beginning of the old format: a number, a version, the machine, the tensors and
their order. The data follow."""


class _BoundedFile(io.BufferedReader):
    """A file of which no more than a zip archive's list of files is read at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        unlimited = size is None or size < 0
        found = super().read(LARGEST_DIRECTORY + 1 if unlimited else size)
        if len(found) > LARGEST_DIRECTORY:
            raise Excessive
        return found


def read_pickle_index(path: Path, allowance: Allowance | None = None) -> dict[str, Tensor]:
    """The tensors of a PyTorch file by name; empty for the old format without a zip archive.

    Args:
        path: The file.
        allowance: What this file and others of its checkpoint may take together.

    Raises:
        CheckpointFault: It is not a PyTorch file, is damaged, asks for more than tensors, or
            would take longer to list than any checkpoint does.
    """
    allowance = allowance or Allowance()
    refuse_special(path)
    try:
        with _BoundedFile(io.FileIO(path)) as file:
            if not zipfile.is_zipfile(file):
                return _old_format(path, file, allowance)
            file.seek(0)
            walk = Walk(io.BytesIO(_pickle_of(path, file, allowance)), allowance)
            content = walk.next()
    except (CheckpointFault, OSError):
        raise
    except Excessive as error:
        raise _excessive(path) from error
    except Exception as error:
        raise CheckpointFault(N_("{name} is damaged."), AGAIN, name=path.name) from error
    if walk.foreign:
        raise CheckpointFault(
            N_("{name} holds more than weights: opening it would run {shown}."),
            N_("It was not opened. Get the checkpoint as safetensors, from a source you trust."),
            name=path.name,
            shown=shown(walk.foreign),
        )
    if isinstance(content, dict) and isinstance(content.get("state_dict"), dict):
        content = content["state_dict"]
    if not isinstance(content, dict):
        raise CheckpointFault(N_("{name} is damaged."), AGAIN, name=path.name)
    return {
        name: Tensor(checked_shape(found.shape, path), found.dtype, path.name)
        for name, found in content.items()
        if isinstance(found, FoundTensor)
    }


def _pickle_of(path: Path, file: IO[bytes], allowance: Allowance) -> bytes:
    """The pickle in an archive, unpacked as far as one may be long."""
    with zipfile.ZipFile(file) as archive:
        members = [one for one in archive.infolist() if one.filename.endswith("/data.pkl")]
        if len(members) != 1 or members[0].compress_type not in STORED_AS:
            raise CheckpointFault(N_("{name} is damaged."), AGAIN, name=path.name)
        content = bytearray()
        with archive.open(members[0]) as member:
            while (chunk := member.read(CHUNK)) and len(content) <= LARGEST_INDEX:
                content += chunk
    allowance.take_bytes(len(content), path)
    return bytes(content)


def _excessive(path: Path) -> CheckpointFault:
    return CheckpointFault(
        N_("{name} was not listed: its list of tensors is longer or more nested than any model's."),
        N_("Get the checkpoint as safetensors, from a source you trust."),
        name=path.name,
    )


def _old_format(path: Path, file: IO[bytes], allowance: Allowance) -> dict[str, Tensor]:
    """Files of torch.save before 1.6: nothing can be said of them before they are loaded.

    Their opcodes are followed all the same, so that none is offered that could not be opened.
    """
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    start = file.read(2)
    if start[:1] == b"\x80" and 2 <= start[1] <= 5:
        file.seek(0)
        walk = Walk(io.BytesIO(file.read(LARGEST_DIRECTORY)), allowance)
        try:
            for _ in range(OLD_PICKLES):
                walk.next()
        except Excessive:
            raise
        except Exception:  # noqa: BLE001 - what it lacks is told when it is loaded
            return {}
        return {}
    if start == b"PK":
        raise CheckpointFault(
            N_("{name} is cut short ({size} bytes)."),
            N_("Finish the download, or copy the file again."),
            name=path.name,
            size=size,
        )
    raise CheckpointFault(N_("{name} is not a PyTorch file."), AGAIN, name=path.name)
