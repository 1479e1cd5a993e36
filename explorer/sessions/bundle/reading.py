"""Reads a bundle of somebody else: no more of it than any bundle has, and nothing is unpacked."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.api.question import UserMistake
from explorer.files.foreign import Unfit, clause_of, is_special, json_of
from explorer.files.typed_paths import unreadable
from explorer.files.zips import DAMAGED
from explorer.serialise import from_json
from explorer.sessions.bundle.contents import KIND, LIST, RUN, RUNS, VERSION, BundledRun
from explorer.text import N_

MOST_RUNS = 1000
MOST_MEMBERS = 6 * MOST_RUNS + 1
"""Files of a bundle: four a run, two that it was made from, and the list."""
LARGEST = 1_000_000_000
"""Bytes of a bundle."""
LARGEST_RUN = 50_000_000
MOST_BYTES = 500_000_000
"""Bytes of all that is read of one."""
MOST_RATIO = 200
"""How many times what is packed a run may be: tables of numbers pack to a tenth."""
FREE = 100_000
"""Bytes that any member may have, however well it packs."""
_ID = re.compile(r"[0-9A-Z]{26}")


def is_bundle(path: Path) -> bool:
    """Whether a file is a zip file with the list of a bundle in it."""
    try:
        if is_special(path) or not path.is_file():
            return False
        with zipfile.ZipFile(path) as archive:
            return LIST in archive.NameToInfo
    except (OSError, *DAMAGED):
        return False


def read_bundle(path: Path) -> tuple[BundledRun, ...]:
    """The runs of a bundle, in its order.

    Raises:
        UserMistake: It can't be read, is none, is of a newer program, or larger than any.
    """
    try:
        if is_special(path):
            raise Unfit(N_("it is a pipe, a device or a file of the system's own"))
        if path.stat().st_size > LARGEST:
            raise Unfit(N_("it takes more than {limit} MB"), limit=LARGEST // 1_000_000)
        with zipfile.ZipFile(path) as archive:
            return tuple(_runs(archive))
    except OSError as error:
        raise unreadable(path, error) from error
    except DAMAGED as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception) -> UserMistake:
    """A file that can't be read as a bundle."""
    return UserMistake(
        N_("{name} is no bundle of runs, or is damaged ({error})."),
        N_("Choose one that plm-explorer sessions bundle wrote."),
        name=path.name,
        error=clause_of(error) if isinstance(error, ValueError) else error,
    )


def _runs(archive: zipfile.ZipFile) -> Iterator[BundledRun]:
    if len(archive.infolist()) > MOST_MEMBERS:
        raise Unfit(N_("it has more than {most} files"), most=MOST_MEMBERS)
    room = [MOST_BYTES]
    told = json_of(member(archive, LIST, room))
    if not isinstance(told, dict) or told.get("kind") != KIND:
        raise Unfit(N_("it does not say that it is one"))
    if told.get("version") != VERSION:
        raise Unfit(N_("it was written by a newer version of the program"))
    names: Any = told.get("runs")
    if not isinstance(names, list) or len(names) > MOST_RUNS:
        raise Unfit(N_("it does not list its runs"))
    for name in names:
        if not isinstance(name, str) or not _ID.fullmatch(name):
            raise Unfit(N_("it does not list its runs"))
        content = member(archive, f"{RUNS}/{name}/{RUN}", room)
        json_of(content)  # its depth, before anything makes something of it
        yield from_json(BundledRun, content)


def member(archive: zipfile.ZipFile, name: str, room: list[int]) -> bytes:
    """A file of an archive; what the archive says of its size may be wrong.

    Raises:
        Unfit: It is missing, or more than a bundle has there.
    """
    found = archive.NameToInfo.get(name)
    if found is None:
        raise Unfit(N_("{file} is missing in it"), file=name)
    most = min(LARGEST_RUN, room[0], FREE + MOST_RATIO * found.compress_size)
    with archive.open(found) as packed:
        content = packed.read(most + 1)
    if len(content) > most:
        raise Unfit(N_("{file} in it is larger than any run"), file=name)
    room[0] -= len(content)
    return content
