"""Paths as people type, drop and store them: some of them no file can have."""

import os
from pathlib import Path

from explorer.api.question import MachineFault, UserMistake
from explorer.text import N_


def typed_path(text: str | Path) -> Path:
    """A path with the home folder in the place of a leading ~.

    The home folder of a user whom nobody knows stays as it was typed, as in a shell.

    Raises:
        UserMistake: No file can be called so.
    """
    refuse_impossible(text)
    return Path(os.path.expanduser(text))  # noqa: PTH111  Path.expanduser raises for unknown users


def refuse_impossible(path: str | Path) -> None:
    """Refuse a path that no system call takes.

    Raises:
        UserMistake: There is a NUL character in it.
    """
    if "\0" in str(path):
        raise UserMistake(
            N_("{path} is no path on this machine."), N_("Check the path."), path=path
        )


def unreadable(path: Path, error: OSError, hint: str = N_("Choose another file.")) -> UserMistake:
    """What is said of a file that the system does not let us read.

    Args:
        path: The file's.
        error: What the system said.
        hint: What to do.
    """
    return UserMistake(
        N_("{name} can't be read ({strerror})."),
        hint,
        name=path.name,
        strerror=error.strerror or error,
    )


def readable(path: Path) -> Path:
    """The same path, where there is something that can be looked at.

    Raises:
        UserMistake: There is not.
    """
    try:
        path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    return path


def profile_folder(folder: Path) -> Path:
    """A folder that is made if it is not there: better none than one called ~somebody.

    Raises:
        UserMistake: No folder can be called so, or it is that of an unknown user.
    """
    whole = typed_path(folder)
    if str(whole).startswith("~"):
        raise UserMistake(
            N_("There is no user {name} on this machine."),
            N_("Name a folder of your own."),
            name=whole.parts[0].removeprefix("~"),
        )
    return whole.absolute()


def unwritable(path: Path, error: OSError) -> MachineFault:
    """What is said of what the system does not let us write.

    Args:
        path: The file's or the folder's.
        error: What the system said.
    """
    return MachineFault(
        N_("{name} can't be written ({strerror})."),
        N_("Choose another folder, or make room."),
        name=path.name or path,
        strerror=error.strerror or error,
    )


def free_folder(path: Path) -> Path:
    """A folder that is not there yet, or is empty.

    Raises:
        UserMistake: There is something of that name: nothing is ever written over.
        MachineFault: It can't be looked at.
    """
    folder = typed_path(path)
    try:
        is_free = not any(folder.iterdir()) if folder.is_dir() else not os.path.lexists(folder)
    except OSError as error:
        raise unwritable(folder, error) from error
    if not is_free:
        raise UserMistake(
            N_("{name} is there already, and nothing is written over."),
            N_("Choose another name, or move it away first."),
            name=folder.name or folder,
        )
    return folder
