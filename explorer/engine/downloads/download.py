"""Fetches a published checkpoint into the Hugging Face cache.

huggingface_hub's own download starts from nothing after a break, compares no checksums and keeps
neither to its cache nor the token to its host (docs/architecture.md, "Downloads"); so the bytes are
fetched here. They are laid down in its cache's layout, where every other program finds them:
blobs/DIGEST, snapshots/COMMIT/NAME as links to them, refs/main. A snapshot appears only when
all that was asked for is there: the whole checkpoint, or its tokenizer. Another branch, a tag or
a commit has a file of its own in refs, with the commit in it, so that it is found by its name.
"""

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.api.family import Cancelled, CheckpointFault, ExplorerError, MachineFault, UserMistake
from explorer.engine.downloads.hub import (
    RemoteFile,
    Repository,
    check_id,
    check_status,
    file_url,
    needed,
    needed_by_tokenizer,
    network_errors,
    network_fault,
    read_repository,
    request_headers,
)
from explorer.engine.downloads.offered import DownloadSize
from explorer.engine.downloads.partial import Partial
from explorer.engine.downloads.rate import Rate
from explorer.engine.downloads.transfer import Transfer
from explorer.engine.library.hub_cache import (
    MAIN,
    PREFIX,
    default_hub_cache,
    is_revision,
    revision_of,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.quantities import bytes_precisely

Tell = Callable[[str, float, float, str], None]
"""Takes stage, bytes done, bytes in all, and a detail ("3.1 MB/s, 40 s left")."""

PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds to wait after the first, second, ... break in a row before trying again."""

SPARE_BYTES = 64_000_000
"""What must stay free on the disk."""

_RETRIED = frozenset({408, 500, 502, 503, 504})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True)
class _Place:
    """A repository's folder in the cache."""

    cache: Path
    repository: Repository

    @property
    def folder(self) -> Path:
        return self.cache / (PREFIX + self.repository.id.replace("/", "--"))

    @property
    def snapshot(self) -> Path:
        return self.folder / "snapshots" / self.repository.commit

    def blob(self, file: RemoteFile) -> Path:
        return self.folder / "blobs" / file.digest

    def partial(self, file: RemoteFile) -> Path:
        return self.folder / "blobs" / f"{file.digest}.incomplete"

    def lock(self, file: RemoteFile) -> Path:
        return self.cache / ".locks" / self.folder.name / f"{file.digest}.lock"

    def has(self, file: RemoteFile) -> bool:
        """Whether the whole file is here; where links are not possible it lies in the snapshot."""
        return self.blob(file).is_file() or (self.snapshot / file.name).is_file()

    def missing_bytes(self, file: RemoteFile) -> int:
        if self.has(file):
            return 0
        with contextlib.suppress(OSError):
            return max(0, file.size - self.partial(file).stat().st_size)
        return file.size


def download(
    checkpoint_id: str,
    cache: Path | None,
    progress: Tell,
    is_cancelled: Callable[[], bool],
    *,
    offline: bool = False,
    tokenizer_only: bool = False,
    pauses: tuple[float, ...] = PAUSES,
) -> Path:
    """Fetch a checkpoint: its config, its tokenizer, its weights, and nothing else.

    Args:
        checkpoint_id: The hub's name; with a branch, a tag or a commit behind an @.
        cache: The Hugging Face cache; None for where its library has it.
        progress: Told at every chunk that arrives; who shows it must throttle.
        is_cancelled: Asked ten times a second.
        offline: Refuse.
        tokenizer_only: Leave the weights out. A later download of all fetches no more than those.
        pauses: Seconds to wait before each new try after a break.

    Returns:
        The snapshot's folder.

    Raises:
        Cancelled: What has come stays, and the next download goes on from there.
        UserMistake: Offline, no such checkpoint, or one the user may not see.
        CheckpointFault: It can't be read here, or its bytes are not what the hub promised.
        MachineFault: No network, no space, a connection that keeps breaking.
    """
    if offline:
        raise UserMistake(
            N_("The tokenizer of {checkpoint_id} can't be downloaded: the program is offline.")
            if tokenizer_only
            else N_("{checkpoint_id} can't be downloaded: the program is offline."),
            N_("Start it without --offline to download."),
            checkpoint_id=checkpoint_id,
        )
    progress(N_("Asking the hub"), 0.0, 0.0, "")
    place, files = _wanted(checkpoint_id, cache, is_cancelled, tokenizer_only=tokenizer_only)
    _check_space(place, files)
    meter = _Meter(progress, sum(file.size for file in files))
    try:
        for file in files:
            if not place.has(file):
                with _locked(place.lock(file), is_cancelled, meter):
                    if not place.has(file):
                        _fetch(place, file, meter, is_cancelled, pauses)
            meter.finish(file)
        _publish(place, files)
    except OSError as error:
        raise _disk_fault(error, place.cache) from error
    return place.snapshot


def download_size(
    checkpoint_id: str,
    cache: Path | None,
    is_cancelled: Callable[[], bool],
    *,
    offline: bool = False,
    tokenizer_only: bool = False,
) -> DownloadSize:
    """What `download` of the same would fetch; nothing is fetched.

    Raises:
        ExplorerError: As `download`.
    """
    if offline:
        raise UserMistake(
            N_("{checkpoint_id} can't be downloaded: the program is offline."),
            N_("Start it without --offline to download."),
            checkpoint_id=checkpoint_id,
        )
    place, files = _wanted(checkpoint_id, cache, is_cancelled, tokenizer_only=tokenizer_only)
    return DownloadSize(
        place.repository.commit,
        sum(file.size for file in files),
        sum(place.missing_bytes(file) for file in files),
    )


def _wanted(
    checkpoint_id: str,
    cache: Path | None,
    is_cancelled: Callable[[], bool],
    *,
    tokenizer_only: bool,
) -> tuple[_Place, tuple[RemoteFile, ...]]:
    """Where a checkpoint belongs, and which files."""
    name, revision = revision_of(checkpoint_id)
    check_id(name)
    if revision and not is_revision(revision):
        raise UserMistake(
            N_("{revision} is no name of a branch, a tag or a commit."),
            N_("Names look like google-bert/bert-base-uncased@main."),
            revision=revision,
        )
    repository = read_repository(name, is_cancelled, revision)
    place = _Place(default_hub_cache() if cache is None else cache, repository)
    return place, needed_by_tokenizer(repository) if tokenizer_only else needed(repository)


class _Meter:
    """Adds up the bytes of all files, and tells them with rate and time left."""

    def __init__(self, tell: Tell, total: int) -> None:
        self._tell = tell
        self._total = total
        self._finished = 0
        self._rate = Rate()

    def say(self, stage: str) -> None:
        self._tell(stage, self._finished, self._total, "")

    def at(self, file: RemoteFile, size: int) -> None:
        done = self._finished + size
        self._rate.at(done)
        stage = Phrase(N_("Downloading {name}"), name=file.name)
        self._tell(stage, done, self._total, self._rate.describe(self._total - done))

    def finish(self, file: RemoteFile) -> None:
        self._finished += file.size
        self._tell(
            Phrase(N_("Downloading {name}"), name=file.name), self._finished, self._total, ""
        )


def _fetch(
    place: _Place,
    file: RemoteFile,
    meter: _Meter,
    is_cancelled: Callable[[], bool],
    pauses: tuple[float, ...],
) -> None:
    """Fetch one file, going on after every break, and check it.

    Raises:
        As `download`.
    """
    if place.partial(file).is_file():
        meter.say(Phrase(N_("Checking what is there of {name}"), name=file.name))
    with Partial(place.partial(file), file, is_cancelled) as partial:
        breaks, furthest = 0, partial.size
        while partial.size < file.size:
            fault: ExplorerError | None
            cause: Exception | None = None
            try:
                fault = _receive(place.repository, file, partial, meter, is_cancelled)
            except network_errors() as error:
                fault, cause = network_fault(error), error
            if fault is None:
                continue
            # A server that neither goes on nor reaches the end must not be asked for ever.
            breaks = 0 if partial.size > furthest else breaks + 1
            furthest = max(furthest, partial.size)
            if breaks > len(pauses) or isinstance(fault, UserMistake):
                raise fault from cause
            _pause(pauses[max(0, breaks - 1)] if pauses else 0.0, is_cancelled)
        is_right = partial.matches()
    if not is_right:
        place.partial(file).unlink()
        raise CheckpointFault(
            N_("{name} of {id} arrived damaged: its checksum is wrong."),
            N_("It was deleted. Download it again; if this happens twice, write to its owners."),
            name=file.name,
            id=place.repository.id,
        )
    place.partial(file).replace(place.blob(file))


def _receive(
    repository: Repository,
    file: RemoteFile,
    partial: Partial,
    meter: _Meter,
    is_cancelled: Callable[[], bool],
) -> MachineFault | None:
    """Take what one connection brings; returns a fault that another try may mend."""
    headers = request_headers()
    if partial.size:
        headers["range"] = f"bytes={partial.size}-"
    with Transfer(file_url(repository, file), headers, is_cancelled) as transfer:
        status = transfer.head.status
        if status in _RETRIED:
            return MachineFault(
                N_("The hub could not answer (HTTP status {status})."),
                N_("Try again in some minutes."),
                status=status,
            )
        if status == 416:
            # The server has less than what is here: that can't be the beginning of this file.
            partial.restart()
            return MachineFault(
                N_("The hub can't resume {name}."), N_("Try again later."), name=file.name
            )
        check_status(status, transfer.head.headers, repository.id, file.name)
        begins = f"bytes {partial.size}-"
        if status != 206 or not transfer.head.headers.get("content-range", "").startswith(begins):
            if status == 206 and partial.size == 0:
                return MachineFault(
                    N_("The hub sent another part of {name}."), N_("Try again."), name=file.name
                )
            partial.restart()
            if status == 206:
                return None
        for chunk in transfer.chunks():
            partial.write(chunk)
            meter.at(file, partial.size)
            if partial.size > file.size:
                break
    if partial.size < file.size:
        return MachineFault(
            N_("The connection broke."),
            N_("What has come is kept: start the download again to go on from there."),
        )
    return None


def _publish(place: _Place, files: tuple[RemoteFile, ...]) -> None:
    """Make the snapshot of links, and let the branch, tag or commit point to it."""
    place.snapshot.mkdir(parents=True, exist_ok=True)
    for position, file in enumerate(files):
        link = place.snapshot / file.name
        if link.is_file():
            continue
        link.unlink(missing_ok=True)
        try:
            link.symlink_to(Path("..") / ".." / "blobs" / file.digest)
        except OSError:
            # Windows without the right to make symbolic links.
            is_wanted_again = any(file.digest == other.digest for other in files[position + 1 :])
            _place_without_symlink(place.blob(file), link, keep=is_wanted_again)
    reference = place.folder / "refs" / (place.repository.revision or MAIN)
    reference.parent.mkdir(parents=True, exist_ok=True)
    new = reference.with_name(f"{reference.name}.{os.getpid()}.tmp")
    new.write_text(place.repository.commit, encoding="ascii")
    new.replace(reference)


def _place_without_symlink(blob: Path, link: Path, *, keep: bool) -> None:
    try:
        link.hardlink_to(blob)
    except OSError:
        # A file system without links: the file itself, as huggingface_hub does it.
        if keep:
            shutil.copyfile(blob, link)
        else:
            blob.replace(link)


def _check_space(place: _Place, files: tuple[RemoteFile, ...]) -> None:
    missing = sum(place.missing_bytes(file) for file in files)
    existing = next(p for p in (place.cache, *place.cache.absolute().parents) if p.exists())
    free = shutil.disk_usage(existing).free
    if missing and missing + SPARE_BYTES > free:
        raise MachineFault(
            N_("{id} needs {needed} more, and the disk has {left} left."),
            N_("Make room on the disk of {cache}, or set HF_HOME to a folder on another."),
            id=place.repository.id,
            needed=bytes_precisely(missing),
            left=bytes_precisely(free),
            cache=place.cache,
        )


@contextlib.contextmanager
def _locked(path: Path, is_cancelled: Callable[[], bool], meter: _Meter) -> Iterator[None]:
    """Be the only one, among all programs, that downloads this file into this cache."""
    from filelock import FileLock, Timeout

    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    while True:
        try:
            lock.acquire(blocking=False)
            break
        except Timeout:
            meter.say(N_("Waiting for another program that downloads the same file"))
            _pause(0.2, is_cancelled)
    try:
        yield
    finally:
        lock.release()


def _pause(seconds: float, is_cancelled: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while not is_cancelled():
        left = end - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(0.05, left))
    raise Cancelled


def _disk_fault(error: OSError, cache: Path) -> MachineFault:
    if error.errno in _FULL:
        return MachineFault(
            N_("The disk is full."),
            N_("Make room on the disk of {cache}; what has come is kept."),
            cache=cache,
        )
    return MachineFault(
        N_("{filename} can't be written ({strerror})."),
        N_("Check the folder's permissions, or set HF_HOME to another folder."),
        filename=error.filename or cache,
        strerror=error.strerror or error,
    )
