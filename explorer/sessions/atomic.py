"""Writing a file whole or not at all."""

import contextlib
import errno
import os
import secrets
import shutil
from pathlib import Path

from explorer.api import MachineFault


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that at every moment there is the old one or the new one, whole.

    The content goes to a file beside it, is brought to the disk, and takes its name.

    Raises:
        MachineFault: It can't be written; an older file is left as it was.
    """
    # A link stays a link: what it points to is written.
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        try:
            with beside.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, beside)
            beside.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
    except OSError as error:
        raise _fault(target, error) from error


def _fault(path: Path, error: OSError) -> MachineFault:
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return MachineFault(
            f"{path.name} can't be written: the disk is full.",
            "Free some space or choose another folder.",
        )
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return MachineFault(
            f"{path.name} can't be written: the folder {path.parent} does not exist.",
            "Choose another folder.",
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return MachineFault(
            f"{path.name} can't be written: you may not write to {path.parent},"
            " or another program holds the file.",
            "Close the file elsewhere or choose another folder.",
        )
    return MachineFault(
        f"{path.name} can't be written ({error.strerror or error}).", "Choose another folder."
    )
