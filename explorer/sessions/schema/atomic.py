"""Writing a file whole or not at all."""

import contextlib
import errno
import glob
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from explorer.api.question import MachineFault
from explorer.files.private import make_file
from explorer.files.typed_paths import refuse_impossible
from explorer.text import N_


def write_atomically(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file so that at every moment there is the old one or the new one, whole.

    Args:
        path: The file.
        content: All of it.
        private: Nobody but the user may read it.

    Raises:
        MachineFault: It can't be written; an older file is left as it was.
    """
    with written_atomically(path, private=private) as file:
        file.write(content)


@contextlib.contextmanager
def written_atomically(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """A file to write into, that takes the place of an older one when the block ends well.

    The content goes to a file beside it, is brought to the disk, and takes its name. What is no
    file (a pipe, a terminal, the null device) is never replaced: it is written into.

    Raises:
        MachineFault: It can't be written; an older file is left as it was.
    """
    refuse_impossible(path)
    # A link stays a link: what it points to is written.
    target = Path(os.path.realpath(path))
    try:
        if path.is_dir():
            raise MachineFault(
                N_("{path} can't be written: it is a folder."), N_("Name a file."), path=path
            )
        if path.exists() and not path.is_file():
            with path.open("wb") as stream:
                yield stream
            return
        beside = target.with_name(f".{target.name}.{os.urandom(6).hex()}.part")
        try:
            if private:
                make_file(beside)
            with beside.open("wb" if private else "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists() and not private:
                shutil.copymode(target, beside)
            beside.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
    except OSError as error:
        raise _fault(target, error) from error


def remove_unfinished(path: Path) -> None:
    """Take away what a process that was ended had begun of a file."""
    target = Path(os.path.realpath(path))
    for beside in target.parent.glob(f".{glob.escape(target.name)}.*.part"):
        with contextlib.suppress(OSError):
            beside.unlink()


def refuse_unwritable(*paths: Path | None) -> None:
    """Tell that a file can't be written before what is to be in it takes its time.

    Nothing is left behind, and an older file stays as it is.

    Args:
        paths: The files; None for one that nobody wants.

    Raises:
        MachineFault: One can't be written.
    """
    for path in paths:
        # A pipe waits until somebody reads it.
        if path is not None and (path.is_file() or path.is_dir() or not path.exists()):
            with contextlib.suppress(_NotYet), written_atomically(path):
                raise _NotYet


class _NotYet(Exception):
    """Ends a try to write."""


def _fault(path: Path, error: OSError) -> MachineFault:
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return MachineFault(
            N_("{name} can't be written: the disk is full."),
            N_("Free some space or choose another folder."),
            name=path.name,
        )
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return MachineFault(
            N_("{name} can't be written: the folder {parent} does not exist."),
            N_("Choose another folder."),
            name=path.name,
            parent=path.parent,
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return MachineFault(
            N_(
                "{name} can't be written: you may not write to {parent}, or another program "
                "holds the file."
            ),
            N_("Close the file elsewhere or choose another folder."),
            name=path.name,
            parent=path.parent,
        )
    return MachineFault(
        N_("{name} can't be written ({strerror})."),
        N_("Choose another folder."),
        name=path.name,
        strerror=error.strerror or error,
    )
