"""Files that runs were made from: small ones go with a bundle, of others it has the name."""

import dataclasses
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from explorer.files import temporary
from explorer.files.foreign import read_bytes
from explorer.files.typed_paths import unreadable
from explorer.files.zips import DAMAGED
from explorer.sessions.bundle.contents import RUNS, BundledFile, BundledRun, is_path, name_of
from explorer.sessions.bundle.reading import damaged, member

LARGEST_FILE = 2_000_000
"""Bytes of a file that goes with a run."""
MOST_OF_ALL = 20_000_000
"""Bytes of all files of a bundle."""
FILES = "files"
_PLAIN = re.compile(r"[^/\\:\x00-\x1f]{1,200}")


def files_of(request: Any) -> dict[str, Path]:
    """The files that a request names, by the names that a bundle has for them."""
    if not dataclasses.is_dataclass(request):
        return {}
    values = (getattr(request, one.name) for one in dataclasses.fields(request))
    paths = (Path(one) for one in values if isinstance(one, str) and is_path(one))
    return {name_of(str(one)): one for one in paths if one.is_file()}


@dataclass
class Room:
    """How many bytes the files of a bundle may still have."""

    left: int = MOST_OF_ALL

    def take(self, archive: zipfile.ZipFile, folder: str, request: Any) -> dict[str, BundledFile]:
        """Put the files of a run into an archive, as far as they are small.

        Args:
            archive: It is written.
            folder: Of the run in it.
            request: What was asked.

        Returns:
            What is told of each.
        """
        found = {}
        for name, path in files_of(request).items():
            try:
                size = path.stat().st_size
                content = read_bytes(path, min(LARGEST_FILE, self.left))
            except (OSError, ValueError):
                content = None
            if content is not None:
                archive.writestr(f"{folder}/{FILES}/{name}", content)
                self.left -= len(content)
            found[name] = BundledFile(size, is_inside=content is not None)
        return found


@contextmanager
def files_at_hand(bundle: Path, runs: tuple[BundledRun, ...]) -> Iterator[tuple[BundledRun, ...]]:
    """The runs of a bundle, which read their files where they lie for the time being.

    Raises:
        UserMistake: The bundle is damaged.
    """
    with TemporaryDirectory(prefix=temporary.prefix("bundle")) as folder:
        try:
            with zipfile.ZipFile(bundle) as archive:
                room = [MOST_OF_ALL]
                found = tuple(_laid(archive, one, Path(folder), room) for one in runs)
        except OSError as error:
            raise unreadable(bundle, error) from error
        except DAMAGED as error:
            raise damaged(bundle, error) from error
        yield found


def _laid(archive: zipfile.ZipFile, run: BundledRun, folder: Path, room: list[int]) -> BundledRun:
    inside = [name for name, one in run.files.items() if one.is_inside and is_plain(name)]
    if run.request is None or not inside:
        return run
    own = folder / run.id
    own.mkdir(exist_ok=True)
    for name in inside:
        content = member(archive, f"{RUNS}/{run.id}/{FILES}/{name}", room)
        (own / name).write_bytes(content)
    request = {
        field: str(own / value) if isinstance(value, str) and value in inside else value
        for field, value in run.request.items()
    }
    return replace(run, request=request)


def is_plain(name: str) -> bool:
    """Whether a name is that of a file, and leads nowhere else."""
    return bool(_PLAIN.fullmatch(name)) and name.strip(". ") != ""


def needed(run: BundledRun) -> str:
    """The first file that a run reads and its bundle has not; "" where there is none."""
    return next((name for name, one in run.files.items() if not one.is_inside), "")
